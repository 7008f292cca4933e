-- One row for each wait of a thread that launches kernels for a copy to the host, where another thread makes the copy, and a host
-- function behind it on its stream says that it is there: so JAX reads a value of the GPU. The wait ends soon after the copy, but
-- the data may be copied once more on the CPU. Threads that only copy wait for the next copy to make. And who begins to wait when
-- the GPU has already done all else does not wait for it: loss.item() in each step of a program whose GPU idles before (Equinox's
-- train_rnn) costs 0.3 ms, and without it the step is no shorter.
-- reads: activities, calls, copies, os_call_kinds, os_calls, own_work_ns
CREATE TABLE called_back_waits AS
WITH copied AS (
    SELECT
        a.activity_id, a.pid, a.global_tid, a.launch_start_ns, a.launch_end_ns, a.end_ns, c.bytes,
        k.end_ns AS computed_ns
    FROM copies AS c
    INNER JOIN activities AS a ON a.activity_id = c.activity_id
    ASOF INNER JOIN (FROM activities WHERE kind = 'compute') AS k ON k.pid = a.pid AND a.start_ns >= k.start_ns
    WHERE c.direction = 'Device-to-Host' AND EXISTS (FROM calls WHERE family = 'host_function')
),

-- 0.1 ms: PJRT adds the host function 1 to 2 us after it made the copy
called_back AS (
    SELECT c.*
    FROM copied AS c
    ASOF INNER JOIN (FROM calls WHERE family = 'host_function') AS h
        ON h.global_tid = c.global_tid AND h.start_ns >= c.launch_end_ns
    WHERE h.start_ns - c.launch_end_ns < 100000
),

waits AS (
    SELECT pid, global_tid, start_ns, end_ns, name_id
    FROM os_calls
    WHERE
        global_tid IN (SELECT global_tid FROM activities WHERE kind = 'compute') AND EXISTS (FROM called_back)
        AND name_id IN (
            SELECT string_id FROM os_call_kinds WHERE name IN ('futex', 'pthread_cond_wait', 'sem_wait')
        )
)

-- It ends 0.1 to 0.7 ms after a copy of 4 bytes, since the threads of the driver and of JAX wake each other (98 % of 6,881 in one
-- program). 1 ns a byte: JAX copies 25 MB within 5 ms.
SELECT w.pid, w.global_tid, w.start_ns, w.end_ns, w.name_id, c.activity_id, c.launch_start_ns, c.launch_end_ns, c.bytes
FROM waits AS w
ASOF INNER JOIN called_back AS c ON c.pid = w.pid AND w.end_ns >= c.end_ns
WHERE c.computed_ns > w.start_ns AND w.end_ns - c.end_ns <= own_work_ns() + c.bytes AND c.global_tid <> w.global_tid;

COMMENT ON TABLE called_back_waits IS 'waits of threads that launch kernels for copies to the host that other threads make';
COMMENT ON COLUMN called_back_waits.global_tid IS 'the thread that waited, in threads';
COMMENT ON COLUMN called_back_waits.start_ns IS 'start of the call that waits, ns since the session began';
COMMENT ON COLUMN called_back_waits.name_id IS 'name of the call, in strings';
COMMENT ON COLUMN called_back_waits.activity_id IS 'the copy, in activities';
COMMENT ON COLUMN called_back_waits.launch_start_ns IS 'CPU start of the call that made the copy, ns';
COMMENT ON COLUMN called_back_waits.launch_end_ns IS 'its end, ns';
COMMENT ON COLUMN called_back_waits.bytes IS 'size of the copy, bytes';
