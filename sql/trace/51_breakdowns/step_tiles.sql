-- The steps of the window as tiles.
-- reads: window_steps
CREATE VIEW step_tiles AS
SELECT step AS id, 0 AS track, start_ns, end_ns
FROM window_steps;

COMMENT ON VIEW step_tiles IS 'window_steps as tiles of one track';
COMMENT ON COLUMN step_tiles.id IS 'step of window_steps';
COMMENT ON COLUMN step_tiles.track IS '0';
