-- One row for each Python sample that falls into a segment, with its whole stack.
-- reads: python_stacks, sampled_stacks, samples_in_segments
CREATE VIEW stacks_in_segments AS
SELECT c.cause, p.frames
FROM samples_in_segments AS c
INNER JOIN sampled_stacks AS s ON c.kind = 'python' AND s.sample_id = c.sample_id
INNER JOIN python_stacks AS p ON p.stack_id = s.stack_id;

COMMENT ON VIEW stacks_in_segments IS 'stacks of the Python samples in lost time';
COMMENT ON COLUMN stacks_in_segments.cause IS 'cause of the segment';
