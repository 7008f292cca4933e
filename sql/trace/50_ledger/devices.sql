-- One row for each GPU that works in the window. Its compute time is the time in which it ran anything, without exposed
-- communication and exposed copies.
-- reads: exposed_time, gpu_busy, gpus, window
CREATE TABLE devices AS
SELECT
    b.gpu, coalesce(g.name, 'GPU') AS name, w.end_ns - w.start_ns AS window_ns,
    CAST(b.busy_ns - coalesce(e.exposed_ns, 0) AS BIGINT) AS compute_ns
FROM gpu_busy AS b
CROSS JOIN "window" AS w
LEFT JOIN gpus AS g ON g.gpu = b.gpu
LEFT JOIN (SELECT gpu, sum(end_ns - start_ns) AS exposed_ns FROM exposed_time GROUP BY gpu) AS e ON e.gpu = b.gpu
ORDER BY b.gpu;

COMMENT ON TABLE devices IS 'the GPUs that work in the window; compute_ns and the ledger''s lost_ns add up to window_ns';
COMMENT ON COLUMN devices.gpu IS 'physical GPU';
COMMENT ON COLUMN devices.name IS 'name of the product';
COMMENT ON COLUMN devices.window_ns IS 'length of the window, ns';
COMMENT ON COLUMN devices.compute_ns IS 'time in which it computed, ns';
