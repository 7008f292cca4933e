-- One row for each segment of CPU code during all of which another thread that launches kernels waits for a lock: that one could
-- prepare its work meanwhile. Mostly the thread that runs the code holds the lock.
-- reads: activities, long_wait_ns, os_call_kinds, os_calls, segments
CREATE TABLE locked_out AS
WITH waits AS (
    SELECT pid, start_ns, max(end_ns) OVER (PARTITION BY pid ORDER BY start_ns) AS until_ns
    FROM os_calls
    WHERE
        end_ns - start_ns >= long_wait_ns()
        AND global_tid IN (SELECT global_tid FROM activities WHERE kind = 'compute')
        AND name_id IN (
            SELECT string_id
            FROM os_call_kinds
            WHERE name IN ('pthread_mutex_lock', 'pthread_rwlock_rdlock', 'pthread_rwlock_wrlock')
        )
)

SELECT s.segment_id
FROM (SELECT segment_id, pid, start_ns, end_ns FROM segments WHERE state = 'run') AS s
ASOF INNER JOIN waits AS w ON w.pid = s.pid AND s.start_ns >= w.start_ns
WHERE w.until_ns >= s.end_ns;

COMMENT ON TABLE locked_out IS 'segments of CPU code during which another thread that launches kernels waits for a lock';
