-- Long waits for a lock of threads that launch kernels, on the track of their process. They could prepare their work meanwhile.
-- reads: activities, long_os_calls, python_lock_waits
CREATE TABLE launcher_lock_waits AS
WITH waits AS (
    SELECT pid, global_tid, start_ns, end_ns
    FROM long_os_calls
    WHERE name IN ('pthread_mutex_lock', 'pthread_rwlock_rdlock', 'pthread_rwlock_wrlock')
    UNION ALL
    FROM python_lock_waits
)

SELECT row_number() OVER (ORDER BY pid, start_ns, end_ns) AS id, pid AS track, start_ns, end_ns
FROM waits
WHERE global_tid IN (SELECT global_tid FROM activities WHERE kind = 'compute');

COMMENT ON TABLE launcher_lock_waits IS 'long waits for a lock of threads that launch kernels';
COMMENT ON COLUMN launcher_lock_waits.track IS 'process';
