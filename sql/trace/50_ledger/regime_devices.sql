-- One row for each kind of regime in the window and GPU: compute and lost time add up to the time of the kind in the window.
-- reads: devices, regime_ledger, regime_tiles
CREATE VIEW regime_devices AS
WITH kinds AS (
    SELECT kind, CAST(sum(end_ns - start_ns) AS BIGINT) AS window_ns FROM regime_tiles GROUP BY kind
),

lost AS (
    SELECT kind, gpu, CAST(sum(lost_ns) AS BIGINT) AS lost_ns FROM regime_ledger GROUP BY kind, gpu
)

SELECT k.kind, d.gpu, d.name, k.window_ns, k.window_ns - coalesce(l.lost_ns, 0) AS compute_ns
FROM kinds AS k
CROSS JOIN devices AS d
LEFT JOIN lost AS l ON l.kind = k.kind AND l.gpu = d.gpu
ORDER BY k.kind, d.gpu;

COMMENT ON VIEW regime_devices IS 'what each GPU computes in each kind of regime of the window';
COMMENT ON COLUMN regime_devices.kind IS 'as in regimes';
COMMENT ON COLUMN regime_devices.gpu IS 'physical GPU';
COMMENT ON COLUMN regime_devices.name IS 'model of the GPU';
COMMENT ON COLUMN regime_devices.window_ns IS 'time of the kind in the window, ns';
COMMENT ON COLUMN regime_devices.compute_ns IS 'time in it in which the GPU computed, ns';
