-- The segments of threads that were sampled, on the track of their thread, where what the thread does tells about them: none
-- where there are no samples.
-- reads: launched_segments, sample_times, segment_tracks
CREATE VIEW sampled_tracks AS
SELECT id, track, start_ns, end_ns
FROM segment_tracks
WHERE track IN (SELECT track FROM sample_times) AND id NOT IN (SELECT segment_id FROM launched_segments);

COMMENT ON VIEW sampled_tracks IS 'segments on their thread, where that was sampled and its work is late';
COMMENT ON COLUMN sampled_tracks.id IS 'segment_id of segments';
