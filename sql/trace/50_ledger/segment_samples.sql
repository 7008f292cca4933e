-- One row for each Python sample that falls into a segment, on the thread whose state the segment has.
-- reads: lost_segments, python_samples, sample_times, segment_tracks, tile_at
CREATE TABLE segment_samples AS
SELECT s.cause, p.file, p.line, p.function
FROM tile_at('sample_times', 'segment_tracks') AS t
INNER JOIN lost_segments AS s ON s.segment_id = t.tile_id
INNER JOIN python_samples AS p ON p.sample_id = t.id;

COMMENT ON TABLE segment_samples IS 'Python samples in lost time';
COMMENT ON COLUMN segment_samples.cause IS 'cause of the segment';
COMMENT ON COLUMN segment_samples.file IS 'as in python_samples';
COMMENT ON COLUMN segment_samples.line IS 'as in python_samples';
COMMENT ON COLUMN segment_samples.function IS 'as in python_samples';
