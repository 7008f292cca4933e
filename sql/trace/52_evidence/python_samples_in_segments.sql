-- One row for each Python sample that falls into a segment, on the thread whose state the segment has.
-- reads: python_samples, samples_in_segments
CREATE TABLE python_samples_in_segments AS
SELECT c.gpu, c.cause, p.file, p.line, p.function
FROM samples_in_segments AS c
INNER JOIN python_samples AS p ON c.kind = 'python' AND p.sample_id = c.sample_id;

COMMENT ON TABLE python_samples_in_segments IS 'Python samples in lost time';
COMMENT ON COLUMN python_samples_in_segments.gpu IS 'as in samples_in_segments';
COMMENT ON COLUMN python_samples_in_segments.cause IS 'cause of the segment';
