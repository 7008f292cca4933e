-- Segments of CPU code, on the track of their process.
-- reads: launcher_lock_waits, segments
CREATE VIEW run_segments AS
SELECT segment_id AS id, pid AS track, start_ns, end_ns
FROM segments
WHERE state = 'run' AND EXISTS (FROM launcher_lock_waits);

COMMENT ON VIEW run_segments IS 'segments of CPU code, where threads wait for locks';
COMMENT ON COLUMN run_segments.id IS 'segment_id of segments';
