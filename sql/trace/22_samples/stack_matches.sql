-- One row for each stack of Python frames that speaks for a cause. Of several patterns that match, the outermost match counts:
-- what a data loader calls is part of loading data.
-- reads: patterns_of_stack, python_stacks, sample_patterns
CREATE TABLE stack_matches AS
SELECT s.stack_id, p.cause, regexp_extract(s.frames, '(?s)^(?:.* )?([^ ]*(?:' || p.pattern || ')[^ ]*)', 1) AS matched
FROM (SELECT *, unnest(patterns_of_stack(frames)) AS pattern FROM python_stacks) AS s
INNER JOIN sample_patterns AS p ON p.kind = 'python' AND p.pattern = s.pattern
QUALIFY row_number() OVER (
    PARTITION BY s.stack_id ORDER BY strlen(regexp_extract(s.frames, '(?s)^(.*)(?:' || p.pattern || ')', 1)) DESC, p.cause
) = 1;

COMMENT ON TABLE stack_matches IS 'stacks of Python frames that speak for a cause';
COMMENT ON COLUMN stack_matches.matched IS 'the frames that speak for it';
