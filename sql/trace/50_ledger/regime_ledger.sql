-- The ledger of each kind of regime: one row for each kind, GPU and cause. With compute_ns in regime_devices, the lost time of
-- a GPU adds up to the time of the kind, to the nanosecond.
-- reads: attributed_segments, regimes
CREATE TABLE regime_ledger AS
SELECT r.kind, s.gpu, s.cause, CAST(sum(s.end_ns - s.start_ns) AS BIGINT) AS lost_ns
FROM attributed_segments AS s
INNER JOIN regimes AS r ON r.regime = s.regime
GROUP BY r.kind, s.gpu, s.cause
ORDER BY r.kind, s.gpu, lost_ns DESC, s.cause;

COMMENT ON TABLE regime_ledger IS 'lost time of each kind of regime, by GPU and cause';
COMMENT ON COLUMN regime_ledger.lost_ns IS 'lost time, ns';
