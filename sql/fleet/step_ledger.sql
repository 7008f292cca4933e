-- The steps of all traces: on each GPU, compute and the lost time of all causes add up to the step, to the nanosecond.
-- reads: kept.rows
CREATE VIEW step_ledger AS
WITH lost AS (
    SELECT trace_id, job, "rank", trace, unnest(step_ledger, recursive := true) FROM kept.rows
)

SELECT trace_id, job, "rank", trace, step, gpu, cause, lost_ns
FROM lost
ORDER BY job, "rank", trace_id, step, gpu, lost_ns DESC, cause;

COMMENT ON VIEW step_ledger IS 'lost time of each step of each trace, by GPU and cause';
COMMENT ON COLUMN step_ledger.rank IS 'as in traces';
COMMENT ON COLUMN step_ledger.step IS 'number of the step in its trace, from 0; those of the warm-up are not there';
COMMENT ON COLUMN step_ledger.gpu IS 'physical GPU of its machine';
COMMENT ON COLUMN step_ledger.lost_ns IS 'time of the step lost because of it, ns';
