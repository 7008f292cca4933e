-- Two rows for each time in which a thread that was woken has no core yet: one for it, and one for the launching thread that
-- woke it and waits for it. The woken one leaves its own wait 1 ms later or more, and nobody of the process wakes another one
-- meanwhile. Waking takes 50 to 100 us.
-- reads: hand_over_ns, launching_threads, os_call_kinds, os_calls, own_work_ns
CREATE TABLE slow_wakes AS
WITH wakes AS (
    SELECT pid, global_tid, start_ns, end_ns
    FROM os_calls
    WHERE name_id IN (SELECT string_id FROM os_call_kinds WHERE role = 'wake')
),

waits AS (
    SELECT pid, global_tid, start_ns, end_ns
    FROM os_calls
    WHERE
        end_ns - start_ns >= own_work_ns()
        AND name_id IN (SELECT string_id FROM os_call_kinds WHERE name IN ('pthread_cond_wait', 'sem_wait'))
),

handed_over AS (
    SELECT w.pid, w.global_tid, k.start_ns AS woke_ns, w.end_ns
    FROM waits AS w
    ASOF INNER JOIN wakes AS k ON k.global_tid = w.global_tid AND w.start_ns >= k.end_ns
    WHERE w.start_ns - k.end_ns <= hand_over_ns() AND w.global_tid IN (SELECT global_tid FROM launching_threads)
),

-- the first that goes on
woken AS (
    SELECT h.pid, h.global_tid, h.woke_ns, min(w.end_ns) AS runs_ns, arg_min(w.global_tid, (w.end_ns, w.global_tid)) AS woken_tid
    FROM handed_over AS h
    INNER JOIN waits AS w
        ON w.pid = h.pid AND w.global_tid <> h.global_tid AND w.start_ns < h.woke_ns AND w.end_ns > h.woke_ns
    WHERE w.end_ns <= h.end_ns
    GROUP BY h.pid, h.global_tid, h.woke_ns
    HAVING runs_ns - h.woke_ns >= own_work_ns()
)

SELECT unnest([w.global_tid, w.woken_tid]) AS global_tid, w.woke_ns AS start_ns, w.runs_ns AS end_ns
FROM woken AS w
ASOF INNER JOIN wakes AS k ON k.pid = w.pid AND w.runs_ns > k.start_ns
WHERE k.start_ns = w.woke_ns;

COMMENT ON TABLE slow_wakes IS 'when a thread that a launching thread had woken, and waited for, had no core yet: a row for each of the two';
COMMENT ON COLUMN slow_wakes.global_tid IS 'one of the two, in threads';
COMMENT ON COLUMN slow_wakes.start_ns IS 'when the one woke the other, ns since the session began';
COMMENT ON COLUMN slow_wakes.end_ns IS 'when the woken one left its wait, ns';
