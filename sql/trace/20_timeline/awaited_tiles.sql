-- The states of the thread that each launching thread waits for while it waits, as tiles of the one that waits.
-- reads: launching_threads, thread_states
CREATE VIEW awaited_tiles AS
SELECT s.state_id AS id, t.global_tid AS track, s.start_ns, s.end_ns
FROM launching_threads AS t
INNER JOIN thread_states AS s ON s.global_tid = t.awaited_global_tid;

COMMENT ON VIEW awaited_tiles IS 'thread_states as tiles of the launching thread that waits for that thread';
COMMENT ON COLUMN awaited_tiles.id IS 'state_id of thread_states';
COMMENT ON COLUMN awaited_tiles.track IS 'the thread that waits, global_tid';
COMMENT ON COLUMN awaited_tiles.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN awaited_tiles.end_ns IS 'end, ns';
