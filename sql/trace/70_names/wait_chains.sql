-- What each launching thread does, with its waits followed, and with names.
-- reads: trace.call_names, trace.thread_names, trace.wait_chains
CREATE VIEW main.wait_chains AS
SELECT s.* EXCLUDE (name_id), n.name, s.end_ns - s.start_ns AS length_ns, t.thread, t.process, o.thread AS on_thread
FROM trace.wait_chains AS s
LEFT JOIN trace.call_names AS n ON n.string_id = s.name_id
LEFT JOIN trace.thread_names AS t ON t.global_tid = s.global_tid
LEFT JOIN trace.thread_names AS o ON o.global_tid = s.on_global_tid;

COMMENT ON VIEW main.wait_chains IS 'thread_states with names, and with waits for the awaited thread replaced by what that thread does';
COMMENT ON COLUMN main.wait_chains.name IS 'the call that makes the state, without its version suffix';
COMMENT ON COLUMN main.wait_chains.length_ns IS 'length, ns';
COMMENT ON COLUMN main.wait_chains.thread IS 'name of the launching thread';
COMMENT ON COLUMN main.wait_chains.process IS 'name of the process';
COMMENT ON COLUMN main.wait_chains.on_thread IS 'name of the thread whose state this is';
