-- One row for each stack of Python frames that speaks for a cause. Of several patterns that match, the outermost match counts:
-- what a data loader calls is part of loading data. A function of the user's own that launches half of the compute is the
-- program's work, whatever its name: a diffusion model's `sample_batch` makes no input.
-- reads: activities, patterns_of_stack, python_frames, python_stacks, sample_patterns, sample_spans, sampled_stacks
CREATE TABLE stack_matches AS
WITH candidates AS (
    SELECT
        s.stack_id,
        p.cause,
        regexp_extract(s.frames, '(?s)^(?:.* )?([^ ]*(?:' || p.pattern || ')[^ ]*)', 1) AS matched,
        strlen(regexp_extract(s.frames, '(?s)^(.*)(?:' || p.pattern || ')', 1)) AS place
    FROM (SELECT *, unnest(patterns_of_stack(frames)) AS pattern FROM python_stacks) AS s
    INNER JOIN sample_patterns AS p ON p.kind = 'python' AND p.pattern = s.pattern
),

own_functions AS (
    SELECT DISTINCT stack_id, matched FROM candidates WHERE matched IN (SELECT frame FROM python_frames WHERE own)
),

-- the compute that is launched while a stack is sampled, and the samples within the calls that launch it
launching AS (
    SELECT
        s.stack_id,
        sum(a.end_ns - a.start_ns) AS compute_ns,
        count(DISTINCT CASE WHEN s.at_ns >= a.launch_start_ns THEN s.sample_id END) AS samples
    FROM (SELECT * FROM activities WHERE kind = 'compute' AND EXISTS (FROM own_functions)) AS a
    ASOF INNER JOIN sample_spans AS t ON t.global_tid = a.global_tid AND a.launch_end_ns >= t.start_ns
    INNER JOIN sampled_stacks AS s ON s.sample_id = t.sample_id
    WHERE a.launch_start_ns < t.end_ns
    GROUP BY s.stack_id
),

working AS (
    SELECT c.matched
    FROM own_functions AS c
    INNER JOIN launching AS l ON l.stack_id = c.stack_id
    GROUP BY c.matched
    HAVING
        sum(l.samples) >= greatest(10, 0.5 * (SELECT sum(samples) FROM launching))
        AND sum(l.compute_ns) >= 0.5 * (SELECT sum(end_ns - start_ns) FROM activities WHERE kind = 'compute')
)

SELECT stack_id, cause, matched
FROM candidates
WHERE matched NOT IN (FROM working)
QUALIFY row_number() OVER (PARTITION BY stack_id ORDER BY place DESC, cause) = 1;

COMMENT ON TABLE stack_matches IS 'stacks of Python frames that speak for a cause';
COMMENT ON COLUMN stack_matches.matched IS 'the frame that speaks for it, or several';
