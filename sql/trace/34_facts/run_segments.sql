-- Segments of CPU code, on the track of their process.
-- reads: locked_times, segments
CREATE VIEW run_segments AS
SELECT segment_id AS id, pid AS track, start_ns, end_ns
FROM segments
WHERE state = 'run' AND EXISTS (FROM locked_times);

COMMENT ON VIEW run_segments IS 'segments of CPU code, where threads wait for locks';
COMMENT ON COLUMN run_segments.id IS 'segment_id of segments';
