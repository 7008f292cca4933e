-- One row for each long wait of a launching thread on a semaphore in which Python samples find it on a line of the user's own
-- code. Python's locks are semaphores. Who waits for a queue or an event is in a function of Python's library, which waits; so
-- this is a lock.
-- reads: launching_threads, long_os_calls, python_frames, sampled_stacks
CREATE TABLE python_lock_waits AS
WITH waits AS (
    SELECT pid, global_tid, start_ns, end_ns
    FROM long_os_calls
    WHERE starts_with(name, 'sem_') AND kind = 'wait' AND global_tid IN (SELECT global_tid FROM launching_threads)
),

samples AS (
    SELECT p.global_tid, p.at_ns, f.own
    FROM sampled_stacks AS p
    INNER JOIN python_frames AS f ON f.stack_id = p.stack_id AND f.depth = 1
)

SELECT w.pid, w.global_tid, w.start_ns, w.end_ns
FROM samples AS s
ASOF INNER JOIN waits AS w ON w.global_tid = s.global_tid AND s.at_ns >= w.start_ns
WHERE s.at_ns < w.end_ns
GROUP BY w.pid, w.global_tid, w.start_ns, w.end_ns
HAVING 2 * count_if(s.own) > count(*);

COMMENT ON TABLE python_lock_waits IS 'long waits of launching threads for a lock of Python';
COMMENT ON COLUMN python_lock_waits.global_tid IS 'the thread that waits, in threads';
COMMENT ON COLUMN python_lock_waits.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN python_lock_waits.end_ns IS 'CPU end, ns';
