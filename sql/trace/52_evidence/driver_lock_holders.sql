-- One row for each wait for the lock of the CUDA driver, and each call in which another thread was when the wait began or ended:
-- who held that lock, and in what. The lock is the driver's where the thread waits for it within a call of its own. A call that
-- is briefer than any wait that counts neither holds one nor is held up.
-- reads: calls, wake_ns, window_segments
CREATE TABLE driver_lock_holders AS
WITH long_calls AS (
    SELECT pid, global_tid, start_ns, end_ns, name_id FROM calls WHERE end_ns - start_ns > wake_ns()
),

waits AS (
    SELECT s.segment_id, s.pid, s.on_global_tid, s.start_ns, s.end_ns
    FROM (SELECT * FROM window_segments WHERE cause = 'lock_contention' AND state = 'lock') AS s
    ASOF INNER JOIN long_calls AS c ON c.global_tid = s.on_global_tid AND s.start_ns >= c.start_ns
    WHERE c.end_ns >= s.end_ns
),

others AS (
    SELECT * FROM long_calls WHERE pid IN (SELECT pid FROM waits)
),

watched AS (
    SELECT w.*, t.global_tid
    FROM waits AS w
    INNER JOIN (SELECT DISTINCT pid, global_tid FROM others) AS t ON t.pid = w.pid AND t.global_tid <> w.on_global_tid
),

during AS (
    SELECT w.*, o.name_id, o.start_ns AS called_ns, o.end_ns AS returned_ns
    FROM watched AS w
    ASOF INNER JOIN others AS o ON o.global_tid = w.global_tid AND w.start_ns >= o.start_ns
    UNION
    SELECT w.*, o.name_id, o.start_ns, o.end_ns
    FROM watched AS w
    ASOF INNER JOIN others AS o ON o.global_tid = w.global_tid AND w.end_ns > o.start_ns
)

SELECT segment_id, global_tid, name_id, greatest(start_ns, called_ns) AS start_ns, least(end_ns, returned_ns) AS end_ns
FROM during
WHERE returned_ns > during.start_ns;

COMMENT ON TABLE driver_lock_holders IS 'who held the lock of the CUDA driver while a launching thread waited for it in a call, and in which call';
COMMENT ON COLUMN driver_lock_holders.segment_id IS 'the wait, in segments';
COMMENT ON COLUMN driver_lock_holders.global_tid IS 'the other thread, in threads';
COMMENT ON COLUMN driver_lock_holders.name_id IS 'its call, in strings';
COMMENT ON COLUMN driver_lock_holders.start_ns IS 'start of the time that both have in common, ns since the session began';
COMMENT ON COLUMN driver_lock_holders.end_ns IS 'end of it, ns';
