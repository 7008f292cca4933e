-- The ledger of each step: per step and GPU, compute and the lost time of each cause add up to the step, to the nanosecond.
-- Steps are cut as in `steps`, at their first activity, so that each belongs to one place on the timeline.
-- reads: lost_segments, window_steps
CREATE VIEW step_ledger AS
SELECT
    n.step,
    s.gpu,
    s.cause,
    CAST(sum(least(s.end_ns, n.end_ns) - greatest(s.start_ns, n.start_ns)) AS BIGINT) AS lost_ns
FROM lost_segments AS s
INNER JOIN window_steps AS n ON s.start_ns < n.end_ns AND s.end_ns > n.start_ns
GROUP BY n.step, s.gpu, s.cause
ORDER BY n.step, s.gpu, lost_ns DESC, cause;

COMMENT ON VIEW step_ledger IS 'lost time of each step of the window, by GPU and cause';
COMMENT ON COLUMN step_ledger.step IS 'number, as in steps';
COMMENT ON COLUMN step_ledger.gpu IS 'physical GPU';
COMMENT ON COLUMN step_ledger.cause IS 'id of the cause';
COMMENT ON COLUMN step_ledger.lost_ns IS 'time of the step lost because of it, ns';
