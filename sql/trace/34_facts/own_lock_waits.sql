-- One row for each long wait on a semaphore in which Python samples find the thread on a line of the user's own code. Python's
-- locks are semaphores. Who waits for a queue or an event is in a function of Python's library, which waits; so this is a lock.
-- reads: long_wait_ns, python_frames, sampled_stacks, segments, strings
CREATE TABLE own_lock_waits AS
WITH waits AS (
    SELECT s.segment_id, s.gpu, s.on_global_tid, s.start_ns, s.end_ns
    FROM segments AS s
    INNER JOIN strings AS t ON t.string_id = s.name_id
    WHERE s.state = 'wait' AND starts_with(t.text, 'sem_') AND s.end_ns - s.start_ns >= long_wait_ns()
),

-- two GPUs may wait for one thread at once
samples AS (
    SELECT g.gpu, p.global_tid, p.at_ns, f.own
    FROM sampled_stacks AS p
    INNER JOIN (SELECT DISTINCT gpu, on_global_tid FROM waits) AS g ON g.on_global_tid = p.global_tid
    INNER JOIN python_frames AS f ON f.stack_id = p.stack_id AND f.depth = 1
)

SELECT w.segment_id
FROM samples AS s
ASOF INNER JOIN waits AS w ON w.gpu = s.gpu AND w.on_global_tid = s.global_tid AND s.at_ns >= w.start_ns
WHERE s.at_ns < w.end_ns
GROUP BY w.segment_id
HAVING 2 * count_if(s.own) > count(*);

COMMENT ON TABLE own_lock_waits IS 'long waits on a semaphore in the user''s own Python code, so for a lock';
