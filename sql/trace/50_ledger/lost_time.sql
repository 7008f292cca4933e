-- Segments of all GPUs on one track, to cut them at the steps.
-- reads: window_segments
CREATE VIEW lost_time AS
SELECT segment_id AS id, 0 AS track, start_ns, end_ns
FROM window_segments;

COMMENT ON VIEW lost_time IS 'segments of all GPUs on one track';
COMMENT ON COLUMN lost_time.id IS 'segment_id of segments';
COMMENT ON COLUMN lost_time.track IS '0';
