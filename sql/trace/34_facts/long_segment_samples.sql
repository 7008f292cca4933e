-- One row for each sample of a launching thread in a long segment. Samples are 1 ms and more apart, so that shorter segments are
-- left out, but for parts of longer code: there, the brief wait before a part, in which the thread may have been sampled, counts
-- for it.
-- reads: brief_wait_ns, own_work_ns, sample_matches, segments
CREATE TABLE long_segment_samples AS
WITH brief_waits AS (
    SELECT gap_id, start_ns, end_ns
    FROM segments
    WHERE state IN ('lock', 'wait', 'profiler') AND end_ns - start_ns < brief_wait_ns()
),

long_segments AS (
    SELECT s.segment_id, s.gpu, coalesce(w.start_ns, s.start_ns) AS start_ns, s.end_ns, s.on_global_tid
    FROM segments AS s
    LEFT JOIN brief_waits AS w ON s.state = 'run' AND w.gap_id = s.gap_id AND w.end_ns = s.start_ns
    WHERE
        (s.state = 'run' OR (s.state IN ('launch', 'wait', 'io', 'sleep') AND s.end_ns - s.start_ns >= own_work_ns()))
        AND EXISTS (FROM sample_matches)
),

-- two GPUs may wait for one thread at once
samples AS (
    SELECT s.*, w.gpu
    FROM sample_matches AS s
    INNER JOIN (SELECT DISTINCT gpu, on_global_tid FROM long_segments) AS w ON w.on_global_tid = s.global_tid
)

SELECT l.segment_id, s.kind, s.at_ns, s.stack_id, s.cause
FROM samples AS s
ASOF INNER JOIN long_segments AS l ON l.gpu = s.gpu AND l.on_global_tid = s.global_tid AND s.at_ns >= l.start_ns
WHERE s.at_ns < l.end_ns;

COMMENT ON TABLE long_segment_samples IS 'the samples of launching threads in long segments, and in parts of long code';
COMMENT ON COLUMN long_segment_samples.at_ns IS 'CPU time of the sample, ns since the session began';
COMMENT ON COLUMN long_segment_samples.stack_id IS 'the stack of a Python sample, in python_stacks; NULL for CPU samples';
COMMENT ON COLUMN long_segment_samples.cause IS 'id of the cause that it speaks for; NULL where it speaks for none';
