-- Segments to be cut at the regimes: none where the window is of one kind, since then the ledger is that of the kind.
-- reads: lost_time, regime_tiles
CREATE VIEW regime_pieces AS
SELECT id, track, start_ns, end_ns
FROM lost_time
WHERE (SELECT count(DISTINCT kind) FROM regime_tiles) > 1;

COMMENT ON VIEW regime_pieces IS 'segments of a window that holds several kinds of regimes, on one track';
COMMENT ON COLUMN regime_pieces.id IS 'segment_id of segments';
COMMENT ON COLUMN regime_pieces.track IS '0';
COMMENT ON COLUMN regime_pieces.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN regime_pieces.end_ns IS 'end, ns';
