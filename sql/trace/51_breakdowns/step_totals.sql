-- One row for each step of the window and GPU: compute and lost time add up to the step.
-- reads: devices, step_ledger, window_steps
CREATE TABLE step_totals AS
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
    SELECT step, gpu, sum(lost_ns) AS lost_ns, arg_max(cause, (lost_ns, cause)) AS worst_cause FROM step_ledger GROUP BY step, gpu
) AS l ON l.step = n.step AND l.gpu = d.gpu
ORDER BY n.step, d.gpu;

COMMENT ON TABLE step_totals IS 'each step of the window on each GPU: compute and lost time';
COMMENT ON COLUMN step_totals.step IS 'number, as in steps';
COMMENT ON COLUMN step_totals.start_ns IS 'start inside the window, ns since the session began';
COMMENT ON COLUMN step_totals.end_ns IS 'end inside the window, ns';
COMMENT ON COLUMN step_totals.compute_ns IS 'time in which the GPU computed, ns';
COMMENT ON COLUMN step_totals.lost_ns IS 'all other time, ns';
