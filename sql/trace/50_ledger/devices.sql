-- One row for each GPU of the window. Its compute time is all time in which it loses none.
-- reads: gpus, loss_totals, window, window_gpus
CREATE TABLE devices AS
SELECT
    b.gpu, coalesce(g.name, 'GPU') AS name, w.length_ns AS window_ns,
    CAST(w.length_ns - coalesce(l.lost_ns, 0) AS BIGINT) AS compute_ns
FROM window_gpus AS b
CROSS JOIN "window" AS w
LEFT JOIN gpus AS g ON g.gpu = b.gpu
LEFT JOIN (SELECT gpu, sum(lost_ns) AS lost_ns FROM loss_totals GROUP BY gpu) AS l ON l.gpu = b.gpu
ORDER BY b.gpu;

COMMENT ON TABLE devices IS 'the GPUs that work in the window; compute_ns and the ledger''s lost_ns add up to window_ns';
COMMENT ON COLUMN devices.window_ns IS 'length of the window, ns';
COMMENT ON COLUMN devices.compute_ns IS 'time in which it computed, ns';
