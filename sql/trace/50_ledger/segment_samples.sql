-- One row for each Python sample that falls into a segment, on the thread whose state the segment has.
-- reads: lost_segments, python_samples
CREATE VIEW segment_samples AS
SELECT s.cause, p.file, p.line, p.function
FROM python_samples AS p
ASOF INNER JOIN lost_segments AS s ON s.on_global_tid = p.global_tid AND p.at_ns >= s.start_ns
WHERE p.at_ns < s.end_ns;

COMMENT ON VIEW segment_samples IS 'Python samples in lost time';
COMMENT ON COLUMN segment_samples.cause IS 'cause of the segment';
COMMENT ON COLUMN segment_samples.file IS 'as in python_samples';
COMMENT ON COLUMN segment_samples.line IS 'as in python_samples';
COMMENT ON COLUMN segment_samples.function IS 'as in python_samples';
