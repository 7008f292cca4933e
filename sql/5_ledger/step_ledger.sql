-- The ledger of each step: per step and GPU, compute and the lost time of each cause add up to the step, to the nanosecond.
-- Steps are cut as in `steps`, at their first op, so that each belongs to one place on the timeline.
CREATE VIEW step_ledger AS
SELECT
    n.step,
    s.gpu,
    CAST(s.cause AS VARCHAR) AS cause,
    CAST(sum(least(s.end_ns, n.end_ns) - greatest(s.start_ns, n.start_ns)) AS BIGINT) AS lost_ns
FROM settled AS s
INNER JOIN window_steps AS n ON s.start_ns < n.end_ns AND s.end_ns > n.start_ns
GROUP BY n.step, s.gpu, s.cause
ORDER BY n.step, s.gpu, lost_ns DESC, cause;

CREATE VIEW step_totals AS
SELECT
    n.step,
    d.gpu,
    n.start_ns,
    n.end_ns,
    n.end_ns - n.start_ns AS length_ns,
    CAST(n.end_ns - n.start_ns - coalesce(l.lost_ns, 0) AS BIGINT) AS compute_ns,
    CAST(coalesce(l.lost_ns, 0) AS BIGINT) AS lost_ns,
    l.worst_cause
FROM window_steps AS n
CROSS JOIN devices AS d
LEFT JOIN (
    SELECT step, gpu, sum(lost_ns) AS lost_ns, arg_max(cause, lost_ns) AS worst_cause FROM step_ledger GROUP BY step, gpu
) AS l ON l.step = n.step AND l.gpu = d.gpu
ORDER BY n.step, d.gpu;

COMMENT ON VIEW step_ledger IS 'lost time of each step of the window, by GPU and cause';
COMMENT ON COLUMN step_ledger.step IS 'number, as in steps';
COMMENT ON COLUMN step_ledger.gpu IS 'physical GPU';
COMMENT ON COLUMN step_ledger.cause IS 'id of the cause';
COMMENT ON COLUMN step_ledger.lost_ns IS 'time of the step lost because of it, ns';
COMMENT ON VIEW step_totals IS 'each step of the window on each GPU: compute and lost time';
COMMENT ON COLUMN step_totals.step IS 'number, as in steps';
COMMENT ON COLUMN step_totals.gpu IS 'physical GPU';
COMMENT ON COLUMN step_totals.start_ns IS 'start inside the window, ns since the session began';
COMMENT ON COLUMN step_totals.end_ns IS 'end inside the window, ns';
COMMENT ON COLUMN step_totals.length_ns IS 'length, ns';
COMMENT ON COLUMN step_totals.compute_ns IS 'time in which the GPU computed, ns';
COMMENT ON COLUMN step_totals.lost_ns IS 'all other time, ns';
COMMENT ON COLUMN step_totals.worst_cause IS 'the cause that took the most of it; NULL where nothing was lost';
