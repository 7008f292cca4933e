-- One row for each sample, Python or CPU, that falls into a segment, on the thread whose state the segment has.
-- reads: sample_times, sampled_tracks, tile_at, window_segments
CREATE TABLE samples_in_segments AS
SELECT
    CASE WHEN t.id >= 0 THEN 'python' ELSE 'cpu' END AS kind,
    CASE WHEN t.id >= 0 THEN t.id ELSE -1 - t.id END AS sample_id,
    s.gpu,
    s.cause
FROM tile_at('sample_times', 'sampled_tracks') AS t
INNER JOIN window_segments AS s ON s.segment_id = t.tile_id;

COMMENT ON TABLE samples_in_segments IS 'samples in lost time';
COMMENT ON COLUMN samples_in_segments.kind IS 'python or cpu';
COMMENT ON COLUMN samples_in_segments.sample_id IS 'as in python_samples or cpu_samples';
COMMENT ON COLUMN samples_in_segments.gpu IS 'the GPU that the segment is of';
COMMENT ON COLUMN samples_in_segments.cause IS 'cause of the segment';
