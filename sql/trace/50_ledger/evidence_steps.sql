-- In how many steps a cause strikes: those with at least a quarter of what it takes in its worst step.
-- reads: loss_totals
CREATE VIEW evidence_steps AS
WITH struck AS (
    SELECT cause, step, sum(lost_ns) AS lost_ns
    FROM loss_totals
    WHERE step IS NOT NULL
    GROUP BY cause, step
),

worst AS (
    SELECT cause, max(lost_ns) AS lost_ns FROM struck GROUP BY cause
)

SELECT s.cause, count(*) AS steps, median(s.lost_ns) AS usual_ns
FROM struck AS s
INNER JOIN worst AS w ON w.cause = s.cause AND s.lost_ns >= 0.25 * w.lost_ns
GROUP BY s.cause;

COMMENT ON VIEW evidence_steps IS 'in how many steps each cause strikes';
COMMENT ON COLUMN evidence_steps.cause IS 'id of the cause';
COMMENT ON COLUMN evidence_steps.steps IS 'steps with at least a quarter of its worst step''s loss';
COMMENT ON COLUMN evidence_steps.usual_ns IS 'median loss in them, ns';
