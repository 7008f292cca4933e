-- One row for each process in which only workers of a pool launch: the thread that gives them their work. That is the one
-- that runs an event loop, as asyncio's with run_in_executor, else the first thread. While it works, no worker has anything
-- to do.
-- reads: launching_threads, pid_of, python_frames, sampled_stacks, tid_of
CREATE TABLE dispatchers AS
WITH stacks AS (
    SELECT
        stack_id,
        bool_or(regexp_matches(frame, '^(concurrent/futures/thread\.py:_worker|anyio/_backends/_asyncio\.py:run)$')) AS in_pool,
        bool_or(
            regexp_matches(frame, '^(asyncio/base_events\.py:run_forever|(asyncio/runners|uvloop/__init__)\.py:run)$')
        ) AS in_loop
    FROM python_frames
    GROUP BY stack_id
),

sampled AS (
    SELECT
        pid_of(p.global_tid) AS pid,
        p.global_tid,
        -- anyio runs its event loop in a function of the same name as its workers
        bool_or(s.in_pool AND NOT s.in_loop) AS in_pool,
        count(CASE WHEN s.in_loop THEN 1 END) AS in_loop
    FROM sampled_stacks AS p
    INNER JOIN stacks AS s ON s.stack_id = p.stack_id
    GROUP BY p.global_tid
),

pools AS (
    SELECT l.pid
    FROM launching_threads AS l
    LEFT JOIN sampled AS s ON s.global_tid = l.global_tid
    GROUP BY l.pid
    HAVING bool_and(s.in_pool IS true)
)

SELECT pid, global_tid
FROM sampled
WHERE pid IN (FROM pools) AND NOT in_pool AND (in_loop > 0 OR tid_of(global_tid) = pid)
QUALIFY row_number() OVER (PARTITION BY pid ORDER BY in_loop DESC, global_tid) = 1;

COMMENT ON TABLE dispatchers IS 'the threads that give work to pools whose workers launch all activities of their process';
