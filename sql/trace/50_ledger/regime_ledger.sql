-- The ledger of each kind of regime: one row for each kind, GPU and cause. With compute_ns in regime_devices, the lost time of
-- a GPU adds up to the time of the kind, to the nanosecond.
-- reads: attributed_segments, attributed_time, intersect_tiles, ledger, regime_tiles, regimes
CREATE TABLE regime_ledger AS
SELECT r.kind, s.gpu, s.cause, CAST(sum(p.end_ns - p.start_ns) AS BIGINT) AS lost_ns
FROM intersect_tiles('attributed_time', 'regime_tiles') AS p
INNER JOIN regimes AS r ON r.regime = p.tile_id
INNER JOIN attributed_segments AS s ON s.segment_id = p.id
GROUP BY ALL
UNION ALL
SELECT r.kind, l.gpu, l.cause, l.lost_ns
FROM ledger AS l, regimes AS r
WHERE (SELECT count(*) FROM regimes) = 1
ORDER BY kind, gpu, lost_ns DESC, cause;

COMMENT ON TABLE regime_ledger IS 'lost time of each kind of regime, by GPU and cause';
COMMENT ON COLUMN regime_ledger.kind IS 'as in regimes';
COMMENT ON COLUMN regime_ledger.gpu IS 'physical GPU';
COMMENT ON COLUMN regime_ledger.cause IS 'id of the cause';
COMMENT ON COLUMN regime_ledger.lost_ns IS 'lost time, ns';
