-- Where a step of each rank goes, by cause, to compare the ranks of a job.
-- reads: ledger_lines, traces
CREATE VIEW rank_losses AS
-- what has no steps, or is of no rank that its path names, is not compared
WITH compared AS (
    SELECT * FROM traces WHERE good AND "rank" IS NOT NULL AND has_steps
),

lines AS (
    -- of a trace with several GPUs their mean: one that lost nothing to a cause has no line
    SELECT l.job, l.trace_id, l.cause, sum(l.share) / any_value(t.gpus) * any_value(t.step_ns) AS per_step_ns
    FROM ledger_lines AS l
    INNER JOIN compared AS t ON t.trace_id = l.trace_id
    GROUP BY l.job, l.trace_id, l.cause
),

-- a rank that lost nothing to a cause counts among the others
every_cause AS (
    SELECT t.trace_id, t.job, t."rank", t.trace, c.cause
    FROM compared AS t
    INNER JOIN (SELECT DISTINCT job, cause FROM lines) AS c ON c.job = t.job
)

SELECT e.trace_id, e.job, e."rank", e.trace, e.cause, coalesce(l.per_step_ns, 0) AS per_step_ns
FROM every_cause AS e
LEFT JOIN lines AS l ON l.job = e.job AND l.trace_id = e.trace_id AND l.cause = e.cause
UNION ALL
SELECT trace_id, job, "rank", trace, 'step', step_ns FROM compared;

COMMENT ON VIEW rank_losses IS 'where a step of each rank goes: compute, each cause, and the step itself';
COMMENT ON COLUMN rank_losses.rank IS 'as in traces';
COMMENT ON COLUMN rank_losses.cause IS 'compute, step, or the id of a cause that the job met';
COMMENT ON COLUMN rank_losses.per_step_ns IS 'time of a step, as the mean of the rank''s GPUs, ns';
