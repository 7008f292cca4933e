-- The regimes in the window, cut to it, as tiles of one track.
-- reads: regimes, window
CREATE VIEW regime_tiles AS
SELECT r.regime AS id, 0 AS track, greatest(r.start_ns, w.start_ns) AS start_ns, least(r.end_ns, w.end_ns) AS end_ns, r.kind
FROM regimes AS r, "window" AS w
WHERE r.start_ns < w.end_ns AND r.end_ns > w.start_ns;

COMMENT ON VIEW regime_tiles IS 'regimes in the window, as tiles of one track';
COMMENT ON COLUMN regime_tiles.id IS 'regime of regimes';
COMMENT ON COLUMN regime_tiles.track IS '0';
COMMENT ON COLUMN regime_tiles.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN regime_tiles.end_ns IS 'end, ns';
COMMENT ON COLUMN regime_tiles.kind IS 'as in regimes';
