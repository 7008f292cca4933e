-- One row for each kind of regime and GPU that works in the analysed time: compute and lost time add up to the time of the kind.
-- reads: gpu_busy, gpus, regime_ledger, regimes
CREATE TABLE regime_devices AS
WITH kinds AS (
    SELECT kind, CAST(sum(end_ns - start_ns) AS BIGINT) AS window_ns FROM regimes GROUP BY kind
),

lost AS (
    SELECT kind, gpu, CAST(sum(lost_ns) AS BIGINT) AS lost_ns FROM regime_ledger GROUP BY kind, gpu
)

SELECT k.kind, b.gpu, coalesce(g.name, 'GPU') AS name, k.window_ns, k.window_ns - coalesce(l.lost_ns, 0) AS compute_ns
FROM kinds AS k
CROSS JOIN gpu_busy AS b
LEFT JOIN gpus AS g ON g.gpu = b.gpu
LEFT JOIN lost AS l ON l.kind = k.kind AND l.gpu = b.gpu
ORDER BY k.kind, b.gpu;

COMMENT ON TABLE regime_devices IS 'what each GPU computes in each kind of regime';
COMMENT ON COLUMN regime_devices.name IS 'model of the GPU';
COMMENT ON COLUMN regime_devices.window_ns IS 'time of the kind, ns';
COMMENT ON COLUMN regime_devices.compute_ns IS 'time in it in which the GPU computed, ns';
