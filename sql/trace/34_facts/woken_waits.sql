-- One row for each long segment in which the launching thread waits for a condition until another thread of its process wakes
-- it, which worked meanwhile: calls into the operating system held that one up for less than half of the time. Where a thread
-- of a pool solves a part on the CPU, the trace holds nothing of it but that it woke the one that waits.
--
-- Waking takes 50 to 100 us.
-- reads: hand_over_ns, long_wait_ns, os_call_kinds, os_calls, segments
CREATE TABLE woken_waits AS
WITH waits AS (
    SELECT segment_id, pid, on_global_tid, start_ns, end_ns
    FROM segments
    WHERE
        state = 'wait' AND end_ns - start_ns >= long_wait_ns()
        AND name_id IN (SELECT string_id FROM os_call_kinds WHERE name = 'pthread_cond_wait')
),

wakes AS (
    SELECT pid, global_tid, start_ns
    FROM os_calls
    WHERE name_id IN (SELECT string_id FROM os_call_kinds WHERE role = 'wake') AND EXISTS (FROM waits)
),

woken AS (
    SELECT w.*, k.global_tid AS waker_tid
    FROM waits AS w
    ASOF INNER JOIN wakes AS k ON k.pid = w.pid AND w.end_ns > k.start_ns
    WHERE k.start_ns > w.start_ns AND w.end_ns - k.start_ns <= hand_over_ns() AND k.global_tid <> w.on_global_tid
),

-- how long each thread had been held up since its start when each such call began
held_up AS (
    SELECT
        global_tid,
        start_ns,
        end_ns,
        coalesce(sum(end_ns - start_ns) OVER (
            PARTITION BY global_tid ORDER BY start_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS before_ns
    FROM os_calls
    WHERE
        name_id IN (SELECT string_id FROM os_call_kinds WHERE kind IS NOT NULL)
        AND global_tid IN (SELECT waker_tid FROM woken)
)

SELECT w.segment_id
FROM woken AS w
ASOF LEFT JOIN held_up AS f ON f.global_tid = w.waker_tid AND w.start_ns >= f.start_ns
ASOF LEFT JOIN held_up AS u ON u.global_tid = w.waker_tid AND w.end_ns >= u.start_ns
WHERE
    coalesce(u.before_ns + least(u.end_ns, w.end_ns) - u.start_ns, 0)
    - coalesce(f.before_ns + least(f.end_ns, w.start_ns) - f.start_ns, 0) < 0.5 * (w.end_ns - w.start_ns);

COMMENT ON TABLE woken_waits IS 'long waits of the launching thread that another thread ended, which had worked meanwhile';
