-- One row for each Python sample of another thread while a launching thread waits for a batch of its process. Who is in a call
-- that waits or sleeps makes no batch, and neither who has made no call of the OS yet, or makes none any more: it may be in one
-- that began before the recording, or does not return.
-- reads: batch_wait_times, launching_threads, os_calls, pid_of, sample_spans
CREATE TABLE samples_beside_waits AS
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

recorded AS (
    SELECT global_tid, min(start_ns) AS first_ns, max(end_ns) AS last_ns FROM os_calls GROUP BY global_tid
)

SELECT
    b.sample_id, b.global_tid, b.usual_ns,
    CASE WHEN b.start_ns BETWEEN r.first_ns AND r.last_ns OR b.start_ns < o.end_ns THEN b.start_ns >= coalesce(o.end_ns, 0) END
        AS works
FROM beside AS b
ASOF LEFT JOIN (
    SELECT global_tid, start_ns, end_ns FROM os_calls WHERE kind IN ('wait', 'lock', 'sleep')
) AS o ON o.global_tid = b.global_tid AND b.start_ns >= o.start_ns
LEFT JOIN recorded AS r ON r.global_tid = b.global_tid;

COMMENT ON TABLE samples_beside_waits IS 'Python samples of other threads while a launching thread waits for a batch';
COMMENT ON COLUMN samples_beside_waits.sample_id IS 'as in python_samples';
COMMENT ON COLUMN samples_beside_waits.usual_ns IS 'for how long it counts, as in sample_spans, ns';
COMMENT ON COLUMN samples_beside_waits.works IS 'true where the thread works, false where it waits; NULL before its first call of the OS and after its last';
