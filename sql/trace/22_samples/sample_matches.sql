-- One row for each sample of a launching thread, Python or CPU, and the cause that its stack speaks for. A Python sample is taken
-- whether the thread runs or waits, a CPU sample only while it runs.
-- reads: cpu_frame_matches, cpu_frames, cpu_samples, launching_threads, sampled_stacks, stack_matches
CREATE TABLE sample_matches AS
WITH innermost AS (
    SELECT f.sample_id, arg_min(l.cause, f.depth) AS cause
    FROM cpu_frames AS f
    INNER JOIN cpu_frame_matches AS l
        ON l.library = f.library AND l.function IS NOT DISTINCT FROM f.function
    GROUP BY f.sample_id
)

SELECT 'python' AS kind, s.global_tid, s.at_ns, s.stack_id, c.cause
FROM sampled_stacks AS s
LEFT JOIN stack_matches AS c ON c.stack_id = s.stack_id
WHERE s.global_tid IN (SELECT global_tid FROM launching_threads)
UNION ALL
SELECT 'cpu', s.global_tid, s.at_ns, NULL, c.cause
FROM cpu_samples AS s
LEFT JOIN innermost AS c ON c.sample_id = s.sample_id
WHERE s.global_tid IN (SELECT global_tid FROM launching_threads);

COMMENT ON TABLE sample_matches IS 'samples of launching threads, with the cause that each speaks for';
COMMENT ON COLUMN sample_matches.kind IS 'python or cpu';
COMMENT ON COLUMN sample_matches.at_ns IS 'CPU time, ns since the session began';
COMMENT ON COLUMN sample_matches.stack_id IS 'the stack of a Python sample, in python_stacks; NULL for CPU samples';
COMMENT ON COLUMN sample_matches.cause IS 'id of the cause; NULL where its stack speaks for none';
