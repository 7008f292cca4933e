-- One row for each Python sample of another thread that works while a launching thread waits for a batch of its process: it makes
-- the batch. Who is in a call that waits or sleeps makes none, and neither who makes no call of the OS any more: it may be in one
-- that does not return. None where such threads work for less than half of the waits.
-- reads: batch_wait_times, launching_threads, os_calls, pid_of, sample_spans
CREATE TABLE producer_samples AS
WITH beside AS (
    SELECT p.sample_id, p.global_tid, p.start_ns, p.usual_ns
    FROM (
        SELECT sample_id, global_tid, start_ns, usual_ns, pid_of(global_tid) AS pid
        FROM sample_spans
        WHERE global_tid NOT IN (SELECT global_tid FROM launching_threads)
    ) AS p
    ASOF INNER JOIN batch_wait_times AS w ON w.track = p.pid AND p.start_ns >= w.start_ns
    WHERE p.start_ns < w.end_ns
),

working AS (
    SELECT b.sample_id, b.usual_ns
    FROM beside AS b
    ASOF LEFT JOIN (
        SELECT global_tid, start_ns, end_ns FROM os_calls WHERE kind IN ('wait', 'lock', 'sleep')
    ) AS o ON o.global_tid = b.global_tid AND b.start_ns >= o.start_ns
    ASOF INNER JOIN os_calls AS n ON n.global_tid = b.global_tid AND b.start_ns <= n.end_ns
    WHERE o.end_ns IS NULL OR b.start_ns >= o.end_ns
)

SELECT sample_id
FROM working
WHERE (SELECT sum(usual_ns) FROM working) >= 0.5 * (SELECT sum(end_ns - start_ns) FROM batch_wait_times);

COMMENT ON TABLE producer_samples IS 'Python samples of threads that work while a launching thread waits for a batch';
COMMENT ON COLUMN producer_samples.sample_id IS 'as in python_samples';
