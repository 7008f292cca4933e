-- One row for each sample, Python or CPU, that falls into a segment, on the thread whose state the segment has.
-- reads: lost_segments, sample_times, sampled_tracks, tile_at
CREATE TABLE sampled_causes AS
SELECT t.id, s.cause
FROM tile_at('sample_times', 'sampled_tracks') AS t
INNER JOIN lost_segments AS s ON s.segment_id = t.tile_id;

COMMENT ON TABLE sampled_causes IS 'samples in lost time';
COMMENT ON COLUMN sampled_causes.id IS 'as in sample_times';
COMMENT ON COLUMN sampled_causes.cause IS 'cause of the segment';
