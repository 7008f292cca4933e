-- One row for each Python sample in which the user's own code is on the stack: the innermost line of it.
-- reads: python_stacks, sampled_stacks
CREATE TABLE python_samples AS
SELECT s.sample_id, s.at_ns, s.global_tid, t.file, t.line, t.function
FROM sampled_stacks AS s
INNER JOIN python_stacks AS t ON t.stack_id = s.stack_id
WHERE t.file IS NOT NULL;

COMMENT ON TABLE python_samples IS 'Python line of the user''s own code at each sample; empty without --python-sampling and --include-json';
COMMENT ON COLUMN python_samples.file IS 'file of the innermost frame of the user''s own code';
