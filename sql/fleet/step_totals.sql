-- Each step of each trace on each GPU. compute_ns and lost_ns add up to length_ns.
-- reads: kept.rows, step_ledger
CREATE VIEW step_totals AS
WITH totals AS (
    SELECT trace_id, job, "rank", trace, unnest(step_totals, recursive := true) FROM kept.rows
),

worst AS (
    SELECT trace_id, step, gpu, arg_max(cause, (lost_ns, cause)) AS cause FROM step_ledger GROUP BY trace_id, step, gpu
)

SELECT
    t.trace_id,
    t.job,
    t."rank",
    t.trace,
    t.step,
    t.gpu,
    t.start_ns,
    t.length_ns,
    t.compute_ns,
    t.length_ns - t.compute_ns AS lost_ns,
    w.cause AS worst_cause
FROM totals AS t
LEFT JOIN worst AS w ON w.trace_id = t.trace_id AND w.step = t.step AND w.gpu = t.gpu
ORDER BY t.job, t."rank", t.trace_id, t.step, t.gpu;

COMMENT ON VIEW step_totals IS 'each step of each trace on each GPU: compute and lost time';
COMMENT ON COLUMN step_totals.rank IS 'as in traces';
COMMENT ON COLUMN step_totals.step IS 'number of the step in its trace, from 0; those of the warm-up are not there';
COMMENT ON COLUMN step_totals.gpu IS 'physical GPU of its machine';
COMMENT ON COLUMN step_totals.start_ns IS 'start, ns since the session of its trace began';
COMMENT ON COLUMN step_totals.compute_ns IS 'time in which the GPU computed, ns';
COMMENT ON COLUMN step_totals.lost_ns IS 'all other time, ns';
