-- In which function of a library the code of the program spends the time of each cause: the innermost one that is on the stack of
-- half of the Python samples. Fewer than twenty samples tell little. What only calls on says nothing: modules of PyTorch, its
-- autograd, decorators, what NumPy wraps, and the loops of trainers. Code outside of packages was made at run time.
-- reads: python_frames, sampled_stacks, samples_in_segments
CREATE TABLE evidence_functions AS
WITH sampled AS (
    SELECT c.cause, s.stack_id, count(DISTINCT c.sample_id) AS samples
    FROM samples_in_segments AS c
    INNER JOIN sampled_stacks AS s ON c.kind = 'python' AND s.sample_id = c.sample_id
    GROUP BY c.cause, s.stack_id
),

own AS (
    SELECT stack_id, min(depth) AS depth FROM python_frames WHERE own GROUP BY stack_id
),

-- a function that calls itself counts once
called AS (
    SELECT s.cause, f.frame, s.stack_id, any_value(s.samples) AS samples, max(o.depth - f.depth) AS distance
    FROM sampled AS s
    INNER JOIN own AS o ON o.stack_id = s.stack_id
    INNER JOIN python_frames AS f ON f.stack_id = s.stack_id AND f.depth < o.depth
    WHERE
        NOT regexp_matches(
            f.frame,
            '^([/<]|numpy/[^ ]*:_wrap|torch/(nn/modules/module|utils/_contextlib|autograd/(graph|function|__init__)|_tensor)\.py'
            || '|transformers/trainer\.py|(pytorch_)?lightning/(pytorch/)?(trainer|loops|strategies)/)'
        )
    GROUP BY s.cause, f.frame, s.stack_id
),

totals AS (
    SELECT cause, sum(samples) AS all_samples FROM sampled GROUP BY cause HAVING sum(samples) >= 20
)

SELECT c.cause, c.frame, CAST(sum(c.samples) AS BIGINT) AS samples, CAST(t.all_samples AS BIGINT) AS all_samples
FROM called AS c
INNER JOIN totals AS t ON t.cause = c.cause
GROUP BY c.cause, c.frame, t.all_samples
HAVING sum(c.samples) >= 0.5 * t.all_samples
QUALIFY
    row_number() OVER (
        PARTITION BY c.cause ORDER BY sum(c.samples * c.distance) / sum(c.samples) DESC, sum(c.samples) DESC, c.frame
    ) = 1
ORDER BY c.cause;

COMMENT ON TABLE evidence_functions IS 'functions of libraries in which the program''s code spends half of the time of a cause, or more';
COMMENT ON COLUMN evidence_functions.frame IS 'file and function, as in python_frames';
COMMENT ON COLUMN evidence_functions.samples IS 'number of Python samples with it on the stack';
COMMENT ON COLUMN evidence_functions.all_samples IS 'number of Python samples in the time of the cause';
