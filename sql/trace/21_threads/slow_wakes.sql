-- Two rows for each time in which a thread that was woken has no core yet: one for it, and one for the launching thread that
-- woke it and waits for it. The woken one leaves its own wait 1 ms later or more, and nobody of the process wakes another one
-- meanwhile. Waking takes 50 to 100 us.
-- reads: hand_over_ns, launching_threads, long_wait_ns, os_call_kinds, os_calls
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
        end_ns - start_ns >= long_wait_ns()
        AND name_id IN (SELECT string_id FROM os_call_kinds WHERE name IN ('pthread_cond_wait', 'sem_wait'))
),

-- by the last thread that wakes one before it goes on
woken AS (
    SELECT x.global_tid AS woken_tid, x.end_ns AS runs_ns, k.global_tid, k.start_ns, k.end_ns
    FROM waits AS x
    ASOF INNER JOIN wakes AS k ON k.pid = x.pid AND x.end_ns > k.start_ns
    WHERE k.start_ns > x.start_ns AND x.end_ns - k.start_ns >= long_wait_ns()
),

waited_for AS (
    SELECT k.*
    FROM woken AS k
    ASOF INNER JOIN waits AS w ON w.global_tid = k.global_tid AND k.end_ns <= w.start_ns
    WHERE
        w.start_ns - k.end_ns <= hand_over_ns() AND w.end_ns >= k.runs_ns
        AND w.global_tid IN (SELECT global_tid FROM launching_threads)
    -- the first that goes on
    QUALIFY row_number() OVER (PARTITION BY k.global_tid, k.start_ns ORDER BY k.runs_ns, k.woken_tid) = 1
)

SELECT unnest([global_tid, woken_tid]) AS global_tid, start_ns, runs_ns AS end_ns
FROM waited_for;

COMMENT ON TABLE slow_wakes IS 'when a thread that a launching thread had woken, and waited for, had no core yet: a row for each of the two';
COMMENT ON COLUMN slow_wakes.global_tid IS 'one of the two, in threads';
COMMENT ON COLUMN slow_wakes.start_ns IS 'when the one woke the other, ns since the session began';
COMMENT ON COLUMN slow_wakes.end_ns IS 'when the woken one left its wait, ns';
