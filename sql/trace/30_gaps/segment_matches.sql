-- One row for each long segment, kind of sample and cause: how many of the samples in it speak for the cause. Samples are 1 ms
-- and more apart, so that shorter segments are left out, but for parts of longer code: there, the brief wait before a part, in
-- which the thread may have been sampled, counts for it.
-- reads: brief_wait_ns, own_work_ns, sample_matches, segments
CREATE TABLE segment_matches AS
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
),

inside AS (
    SELECT l.segment_id, s.kind, s.cause
    FROM samples AS s
    ASOF INNER JOIN long_segments AS l ON l.gpu = s.gpu AND l.on_global_tid = s.global_tid AND s.at_ns >= l.start_ns
    WHERE s.at_ns < l.end_ns
)

SELECT
    segment_id,
    kind,
    cause,
    count(*) AS samples,
    CAST(sum(count(*)) OVER (PARTITION BY segment_id, kind) AS BIGINT) AS all_samples
FROM inside
GROUP BY segment_id, kind, cause;

COMMENT ON TABLE segment_matches IS 'the samples in long segments, and in parts of long code, counted by the cause that they speak for';
COMMENT ON COLUMN segment_matches.segment_id IS 'as in segments';
COMMENT ON COLUMN segment_matches.kind IS 'python or cpu';
COMMENT ON COLUMN segment_matches.cause IS 'id of the cause; NULL for samples that speak for none';
COMMENT ON COLUMN segment_matches.samples IS 'number of samples that speak for it';
COMMENT ON COLUMN segment_matches.all_samples IS 'number of samples of this kind in the segment';
