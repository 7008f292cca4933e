-- The states of launching threads as tiles, to cut intervals with.
-- reads: thread_states
CREATE VIEW state_tiles AS
SELECT state_id AS id, global_tid AS track, start_ns, end_ns
FROM thread_states;

COMMENT ON VIEW state_tiles IS 'thread_states as tiles of the thread';
COMMENT ON COLUMN state_tiles.id IS 'state_id of thread_states';
COMMENT ON COLUMN state_tiles.track IS 'the thread, global_tid';
