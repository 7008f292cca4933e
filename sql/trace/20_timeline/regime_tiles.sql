-- The regimes as tiles of one track.
-- reads: regimes
CREATE VIEW regime_tiles AS
SELECT regime AS id, 0 AS track, start_ns, end_ns
FROM regimes;

COMMENT ON VIEW regime_tiles IS 'regimes as tiles of one track';
COMMENT ON COLUMN regime_tiles.id IS 'regime of regimes';
COMMENT ON COLUMN regime_tiles.track IS '0';
COMMENT ON COLUMN regime_tiles.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN regime_tiles.end_ns IS 'end, ns';
