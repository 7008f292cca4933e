-- One row for each stack of Python frames of a launching thread that speaks for a cause. Of several patterns that match, the
-- outermost match counts: what a data loader calls is part of loading data.
-- reads: launching_threads, python_stacks, sample_patterns, sampled_stacks
CREATE TABLE stack_causes AS
WITH stacks AS (
    SELECT stack_id, frames
    FROM python_stacks
    WHERE
        stack_id IN (
            SELECT stack_id FROM sampled_stacks WHERE global_tid IN (SELECT global_tid FROM launching_threads)
        )
)

SELECT s.stack_id, p.cause, regexp_extract(s.frames, '[^ ]*(?:' || p.pattern || ')[^ ]*') AS matched
FROM stacks AS s
INNER JOIN sample_patterns AS p ON p.kind = 'python' AND regexp_matches(s.frames, p.pattern)
QUALIFY row_number() OVER (
    PARTITION BY s.stack_id ORDER BY strlen(regexp_extract(s.frames, '^(.*?)(?:' || p.pattern || ')', 1)) DESC, p.cause
) = 1;

COMMENT ON TABLE stack_causes IS 'stacks of Python frames of launching threads that speak for a cause';
COMMENT ON COLUMN stack_causes.stack_id IS 'the stack, in python_stacks';
COMMENT ON COLUMN stack_causes.cause IS 'id of the cause';
COMMENT ON COLUMN stack_causes.matched IS 'the frames that speak for it';
