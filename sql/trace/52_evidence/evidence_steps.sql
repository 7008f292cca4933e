-- In how few steps most of a cause's lost time lies: those that lose most to it, until they hold four fifths.
-- reads: step_ledger
CREATE TABLE evidence_steps AS
WITH struck AS (
    SELECT cause, step, sum(lost_ns) AS lost_ns
    FROM step_ledger
    GROUP BY cause, step
),

ranked AS (
    SELECT
        cause,
        lost_ns,
        sum(lost_ns) OVER (PARTITION BY cause ORDER BY lost_ns DESC, step) AS reached_ns,
        sum(lost_ns) OVER (PARTITION BY cause) AS all_ns
    FROM struck
)

SELECT cause, count(*) AS steps, median(lost_ns) AS usual_ns, sum(lost_ns) / any_value(all_ns) AS share
FROM ranked
WHERE reached_ns - lost_ns < 0.8 * all_ns
GROUP BY cause;

COMMENT ON TABLE evidence_steps IS 'in how few steps four fifths of the lost time of each cause lie';
COMMENT ON COLUMN evidence_steps.steps IS 'number of these steps';
COMMENT ON COLUMN evidence_steps.usual_ns IS 'median of its lost time in these steps, ns';
COMMENT ON COLUMN evidence_steps.share IS 'share of its lost time that these steps hold, 0 to 1';
