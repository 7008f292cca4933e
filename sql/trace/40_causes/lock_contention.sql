/* cause
meaning = "a launching thread waited for the GIL or a lock that another thread held"
usual_fix = "Move the holder's work to another process, or to code that releases the GIL; hold locks for less time."
needs = ["os_calls"]
color = "#bc528a"
color_dark = "#d470b7"

[[states]]
state = "lock"
priority = 20

[remove]
states = ["lock"]
wholly = true
*/

-- A wait for a lock is a state. Here: a wait on a semaphore in the user's own Python code is one for a lock; one that nothing
-- else explains is a lock or queue of Python's. And code that runs while another thread, which would launch, waits for a lock.
-- reads: locked_out, long_wait_ns, own_lock_waits, segments, strings
CREATE VIEW rules_lock_contention AS
SELECT segment_id, 48 AS priority, 'seen' AS basis
FROM own_lock_waits
UNION ALL
SELECT segment_id, 42, 'inferred'
FROM locked_out
UNION ALL
SELECT s.segment_id, 62 AS priority, 'inferred' AS basis
FROM segments AS s
INNER JOIN strings AS t ON t.string_id = s.name_id
WHERE s.state = 'wait' AND starts_with(t.text, 'sem_') AND s.end_ns - s.start_ns >= long_wait_ns();

-- The thread that holds the GIL is named where GIL ranges tell, and the one that holds the CUDA driver's lock longest, where
-- others are in calls for half of the time.
-- reads: call_names, driver_lock_holders, gil_holds, is_gil_wait, locked_out, strings, threads, tid_of, window_segments
CREATE VIEW fix_lock_contention AS
WITH waits AS (
    SELECT t.text AS name
    FROM window_segments AS s
    LEFT JOIN strings AS t ON t.string_id = s.name_id
    WHERE s.cause = 'lock_contention'
    GROUP BY t.text
    ORDER BY sum(s.end_ns - s.start_ns) DESC
    LIMIT 1
),

lock_waits AS (
    SELECT * FROM window_segments WHERE cause = 'lock_contention' AND state = 'lock'
),

-- in which a wait begins, and which begin during a wait
gil_holds_in_waits AS (
    SELECT h.global_tid, s.on_global_tid, least(s.end_ns, h.end_ns) - s.start_ns AS held_ns
    FROM lock_waits AS s
    ASOF INNER JOIN gil_holds AS h ON h.pid = s.pid AND s.start_ns >= h.start_ns
    WHERE h.end_ns > s.start_ns
    UNION ALL
    SELECT h.global_tid, s.on_global_tid, least(s.end_ns, h.end_ns) - h.start_ns
    FROM gil_holds AS h
    ASOF INNER JOIN lock_waits AS s ON s.pid = h.pid AND h.start_ns > s.start_ns
    WHERE h.start_ns < s.end_ns
),

holders AS (
    SELECT h.global_tid, any_value(t.name) AS name, sum(h.held_ns) AS held_ns
    FROM gil_holds_in_waits AS h
    LEFT JOIN threads AS t ON t.global_tid = h.global_tid
    WHERE h.global_tid <> h.on_global_tid
    GROUP BY h.global_tid
    ORDER BY sum(h.held_ns) DESC, h.global_tid
    LIMIT 1
),

driver_calls AS (
    SELECT h.global_tid, c.name AS call, sum(h.end_ns - h.start_ns) AS held_ns
    FROM driver_lock_holders AS h
    INNER JOIN call_names AS c ON c.string_id = h.name_id
    GROUP BY h.global_tid, c.name
),

driver AS (
    SELECT
        format('{} ({})', coalesce(any_value(t.name), 'thread'), tid_of(d.global_tid)) AS holder,
        arg_max(d.call, (d.held_ns, d.call)) AS call,
        sum(d.held_ns) AS held_ns
    FROM driver_calls AS d
    LEFT JOIN threads AS t ON t.global_tid = d.global_tid
    GROUP BY d.global_tid
    ORDER BY sum(d.held_ns) DESC, d.global_tid
    LIMIT 1
),

-- only one thread holds the lock at a time: of several that are in calls during a wait, the one that is so for longest counts
by_driver AS (
    SELECT sum(held_ns) AS held_ns
    FROM (
        SELECT segment_id, max(held_ns) AS held_ns
        FROM (
            SELECT segment_id, global_tid, sum(end_ns - start_ns) AS held_ns
            FROM driver_lock_holders
            GROUP BY segment_id, global_tid
        )
        GROUP BY segment_id
    )
),

lost AS (
    SELECT
        sum(end_ns - start_ns) AS lost_ns,
        sum(CASE WHEN segment_id IN (FROM locked_out) THEN end_ns - start_ns ELSE 0 END) AS locked_out_ns
    FROM window_segments
    WHERE cause = 'lock_contention'
)

SELECT
    CASE
        WHEN 2 * (SELECT held_ns FROM by_driver) >= lost_ns
            THEN
                format(
                    'The lock is the CUDA driver''s: {}, mostly in {}. Keep such calls out of the loop: take memory from a pool, '
                    || 'and create, load and register beforehand.',
                    (
                        SELECT
                            CASE
                                WHEN 2 * held_ns >= lost_ns THEN format('thread {} holds it', holder)
                                ELSE format('several threads hold it, {} longest', holder)
                            END
                        FROM driver
                    ),
                    (SELECT call FROM driver)
                )
        WHEN name = 'Waiting for GIL' AND (SELECT name FROM holders) = 'pt_data_pin'
            THEN
                format(
                    'Thread pt_data_pin ({}) holds the GIL while it takes batches from the workers of the DataLoader and pins '
                    || 'them. Give it fewer tensors: larger batches, fewer tensors in each, or pin_memory=False where '
                    || 'batches are small.',
                    (SELECT tid_of(global_tid) FROM holders)
                )
        WHEN is_gil_wait(name)
            THEN
                format(
                    'Take the work of the thread that holds the GIL{} out of this process (multiprocessing, a subprocess), or '
                    || 'into code that releases it (NumPy, a C extension); a Python thread that only computes takes turns of '
                    || '5 ms with the training thread.',
                    coalesce(
                        (
                            SELECT format(', mostly {} ({}),', coalesce(name, 'thread'), tid_of(global_tid)) FROM holders
                        ),
                        ''
                    )
                )
        WHEN 2 * locked_out_ns >= lost_ns
            THEN
                'One thread runs CPU code while others that launch GPU work wait for a lock, and prepare nothing meanwhile. '
                || 'Hold the lock only to launch, neither for such code nor while waiting for the GPU, or give each thread '
                || 'its own stream and buffers.'
        ELSE format('Hold the lock behind {} for less time, or do not share it with the thread that launches GPU work.', name)
    END AS fix
FROM waits, lost;

-- The line to change is the one on which another thread holds the lock: who waits for a lock in its own code has it not yet.
-- Where that is unknown, or another process holds it, the line that waits is told.
-- reads: driver_lock_holders, gil_holds, hand_over_ns, is_gil_wait, locked_out, os_call_kinds, os_calls, pid_of
-- reads: python_frames, python_samples, python_samples_in_segments, sampled_stacks, strings, window_segments
CREATE VIEW lines_lock_contention AS
WITH beside AS (
    SELECT p.*, s.waits_in, s.on_global_tid AS waiter
    FROM (SELECT *, pid_of(global_tid) AS pid FROM python_samples) AS p
    ASOF INNER JOIN (
        SELECT w.pid, w.on_global_tid, w.start_ns, w.end_ns, t.text AS waits_in
        FROM window_segments AS w
        INNER JOIN strings AS t ON t.string_id = w.name_id
        WHERE w.cause = 'lock_contention' AND w.basis = 'seen'
    ) AS s ON s.pid = p.pid AND p.at_ns >= s.start_ns
    WHERE p.at_ns < s.end_ns AND p.global_tid <> s.on_global_tid
),

-- in a semaphore, with no function of a library on top
waiting AS (
    SELECT b.sample_id
    FROM beside AS b
    ASOF INNER JOIN (
        SELECT global_tid, start_ns, end_ns
        FROM os_calls
        WHERE name_id IN (SELECT string_id FROM os_call_kinds WHERE starts_with(name, 'sem_') AND kind = 'wait')
    ) AS o ON o.global_tid = b.global_tid AND b.at_ns >= o.start_ns
    INNER JOIN sampled_stacks AS p ON p.sample_id = b.sample_id
    INNER JOIN python_frames AS f ON f.stack_id = p.stack_id AND f.depth = 1 AND f.own
    WHERE b.at_ns < o.end_ns
),

-- Python's other locks are semaphores. A thread holds the GIL when it releases one, and may be without it before.
releases AS (
    SELECT o.global_tid AS waiter, o.end_ns, g.global_tid
    FROM os_calls AS o
    ASOF INNER JOIN gil_holds AS g ON g.pid = o.pid AND o.end_ns > g.start_ns
    WHERE
        o.end_ns <= g.end_ns + hand_over_ns()
        AND o.name_id IN (SELECT string_id FROM os_call_kinds WHERE starts_with(name, 'sem_') AND kind = 'wait')
),

locked_code AS (
    SELECT gpu, on_global_tid, start_ns, end_ns
    FROM window_segments
    WHERE cause = 'lock_contention' AND segment_id IN (FROM locked_out)
),

-- two GPUs may wait for one thread at once
locking AS (
    SELECT p.sample_id
    FROM (
        SELECT p.*, g.gpu
        FROM python_samples AS p
        INNER JOIN (SELECT DISTINCT gpu, on_global_tid FROM locked_code) AS g ON g.on_global_tid = p.global_tid
    ) AS p
    ASOF INNER JOIN locked_code AS c ON c.gpu = p.gpu AND c.on_global_tid = p.global_tid AND p.at_ns >= c.start_ns
    WHERE p.at_ns < c.end_ns
),

holding AS (
    SELECT b.file, b.line, b.function || ', on the thread that holds the lock' AS function
    FROM beside AS b
    ASOF LEFT JOIN gil_holds AS g ON g.global_tid = b.global_tid AND b.at_ns >= g.start_ns
    ASOF LEFT JOIN releases AS r ON r.waiter = b.waiter AND b.at_ns < r.end_ns
    WHERE
        (is_gil_wait(b.waits_in) AND g.end_ns > b.at_ns)
        OR (
            starts_with(b.waits_in, 'sem_') AND r.global_tid = b.global_tid
            AND b.sample_id NOT IN (SELECT sample_id FROM waiting)
        )
    UNION ALL
    SELECT p.file, p.line, p.function || ', on the thread that holds the lock'
    FROM python_samples AS p
    ASOF INNER JOIN driver_lock_holders AS h ON h.global_tid = p.global_tid AND p.at_ns >= h.start_ns
    WHERE p.at_ns < h.end_ns
    UNION ALL
    SELECT file, line, function || ', on the thread that holds the lock'
    FROM python_samples
    WHERE sample_id IN (FROM locking)
)

FROM holding
UNION ALL
SELECT file, line, function
FROM python_samples_in_segments
WHERE cause = 'lock_contention' AND NOT EXISTS (FROM holding);
