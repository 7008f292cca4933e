-- In how many steps each cause costs much: at least a quarter of what it costs in its worst step.
-- reads: step_ledger
CREATE VIEW evidence_steps AS
WITH struck AS (
    SELECT cause, step, sum(lost_ns) AS lost_ns
    FROM step_ledger
    GROUP BY cause, step
),

worst AS (
    SELECT cause, max(lost_ns) AS lost_ns FROM struck GROUP BY cause
)

SELECT s.cause, count(*) AS steps, median(s.lost_ns) AS usual_ns
FROM struck AS s
INNER JOIN worst AS w ON w.cause = s.cause AND s.lost_ns >= 0.25 * w.lost_ns
GROUP BY s.cause;

COMMENT ON VIEW evidence_steps IS 'in how many steps each cause costs much';
COMMENT ON COLUMN evidence_steps.cause IS 'id of the cause';
COMMENT ON COLUMN evidence_steps.steps IS 'number of steps in which it costs at least a quarter of what it costs in its worst step';
COMMENT ON COLUMN evidence_steps.usual_ns IS 'median of its lost time in these steps, ns';
