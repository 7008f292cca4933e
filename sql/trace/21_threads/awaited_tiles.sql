-- The states of the thread that each launching thread waits for while it waits, as tiles of the one that waits. Until a thread
-- begins, that is the one that began last before it.
-- reads: launching_threads, thread_starts, thread_states
CREATE VIEW awaited_tiles AS
SELECT s.state_id AS id, t.global_tid AS track, greatest(s.start_ns, b.starts_ns) AS start_ns, s.end_ns
FROM launching_threads AS t
LEFT JOIN thread_starts AS b ON b.global_tid = t.global_tid
INNER JOIN thread_states AS s ON s.global_tid = t.awaited_global_tid AND s.end_ns > coalesce(b.starts_ns, s.start_ns)
UNION ALL
SELECT s.state_id, b.global_tid, greatest(s.start_ns, b.before_ns), least(s.end_ns, b.starts_ns)
FROM thread_starts AS b
INNER JOIN thread_states AS s
    ON s.global_tid = b.before_global_tid AND s.start_ns < b.starts_ns AND s.end_ns > b.before_ns;

COMMENT ON VIEW awaited_tiles IS 'thread_states as tiles of the launching thread that waits for that thread';
COMMENT ON COLUMN awaited_tiles.id IS 'state_id of thread_states';
COMMENT ON COLUMN awaited_tiles.track IS 'the thread that waits, global_tid';
