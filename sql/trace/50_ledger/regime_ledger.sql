-- The ledger of each kind of regime in the window: one row for each kind, GPU and cause. With compute_ns in regime_devices, the
-- lost time of a GPU adds up to the time of the kind in the window, to the nanosecond.
-- reads: intersect_tiles, ledger, lost_segments, regime_pieces, regime_tiles
CREATE TABLE regime_ledger AS
WITH kinds AS (
    SELECT DISTINCT kind FROM regime_tiles
)

SELECT r.kind, s.gpu, s.cause, CAST(sum(p.end_ns - p.start_ns) AS BIGINT) AS lost_ns
FROM intersect_tiles('regime_pieces', 'regime_tiles') AS p
INNER JOIN regime_tiles AS r ON r.id = p.tile_id
INNER JOIN lost_segments AS s ON s.segment_id = p.id
GROUP BY ALL
UNION ALL
SELECT k.kind, l.gpu, l.cause, l.lost_ns
FROM ledger AS l, kinds AS k
WHERE (SELECT count(*) FROM kinds) = 1
ORDER BY kind, gpu, lost_ns DESC, cause;

COMMENT ON TABLE regime_ledger IS 'lost time of each kind of regime in the window, by GPU and cause';
COMMENT ON COLUMN regime_ledger.kind IS 'as in regimes';
COMMENT ON COLUMN regime_ledger.gpu IS 'physical GPU';
COMMENT ON COLUMN regime_ledger.cause IS 'id of the cause';
COMMENT ON COLUMN regime_ledger.lost_ns IS 'lost time, ns';
