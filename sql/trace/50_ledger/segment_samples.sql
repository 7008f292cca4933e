-- One row for each Python sample that falls into a segment, on the thread whose state the segment has.
-- reads: python_samples, sampled_causes
CREATE VIEW segment_samples AS
SELECT c.cause, p.file, p.line, p.function
FROM sampled_causes AS c
INNER JOIN python_samples AS p ON p.sample_id = c.id;

COMMENT ON VIEW segment_samples IS 'Python samples in lost time';
COMMENT ON COLUMN segment_samples.cause IS 'cause of the segment';
COMMENT ON COLUMN segment_samples.file IS 'as in python_samples';
COMMENT ON COLUMN segment_samples.line IS 'as in python_samples';
COMMENT ON COLUMN segment_samples.function IS 'as in python_samples';
