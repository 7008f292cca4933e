-- Segments on the track of the thread whose state they have. Where two GPUs wait for one thread, two overlap.
-- reads: window_segments
CREATE VIEW segment_tracks AS
SELECT segment_id AS id, on_global_tid AS track, start_ns, end_ns
FROM window_segments;

COMMENT ON VIEW segment_tracks IS 'segments on their thread';
COMMENT ON COLUMN segment_tracks.id IS 'segment_id of segments';
COMMENT ON COLUMN segment_tracks.track IS 'the thread, global_tid';
