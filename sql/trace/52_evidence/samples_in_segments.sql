-- One row for each sample, Python or CPU, that tells about a segment: it falls into it, on the thread whose state that has.
-- Of work that was launched in time, samples tell that fall into its launch, or into the last 1 ms before it, if no other call
-- comes between.
-- reads: calls, launched_segments, own_work_ns, sample_times, sampled_tracks, tile_at, window_segments
CREATE TABLE samples_in_segments AS
WITH late AS (
    SELECT t.id, s.gpu, s.cause
    FROM tile_at('sample_times', 'sampled_tracks') AS t
    INNER JOIN window_segments AS s ON s.segment_id = t.tile_id
),

-- the next call of each sample's thread, or the one that it falls into
next_calls AS (
    SELECT t.id, c.global_tid, c.start_ns
    FROM sample_times AS t
    ASOF INNER JOIN (
        SELECT global_tid, start_ns, end_ns FROM calls WHERE global_tid IN (SELECT track FROM sample_times)
    ) AS c
        ON c.global_tid = t.track AND t.at_ns <= c.end_ns
    WHERE t.at_ns >= c.start_ns - own_work_ns()
),

launched AS (
    SELECT DISTINCT n.id, l.gpu, l.cause
    FROM next_calls AS n
    INNER JOIN launched_segments AS l ON l.global_tid = n.global_tid AND l.launch_start_ns = n.start_ns
)

SELECT
    CASE WHEN id >= 0 THEN 'python' ELSE 'cpu' END AS kind,
    CASE WHEN id >= 0 THEN id ELSE -1 - id END AS sample_id,
    gpu,
    cause
FROM (
    FROM late
    UNION
    FROM launched
);

COMMENT ON TABLE samples_in_segments IS 'samples that tell about lost time';
COMMENT ON COLUMN samples_in_segments.kind IS 'python or cpu';
COMMENT ON COLUMN samples_in_segments.sample_id IS 'as in python_samples or cpu_samples';
COMMENT ON COLUMN samples_in_segments.gpu IS 'the GPU that the segment is of';
COMMENT ON COLUMN samples_in_segments.cause IS 'cause of the segment';
