-- What each launching thread and each dispatcher does, with names.
-- reads: trace.call_names, trace.thread_names, trace.thread_states
CREATE VIEW main.thread_states AS
SELECT s.* EXCLUDE (name_id), n.name, s.end_ns - s.start_ns AS length_ns, t.thread, t.process
FROM trace.thread_states AS s
LEFT JOIN trace.call_names AS n ON n.string_id = s.name_id
LEFT JOIN trace.thread_names AS t ON t.global_tid = s.global_tid;

COMMENT ON VIEW main.thread_states IS 'the timeline of each launching thread and each dispatcher, flattened to its innermost state, with names';
COMMENT ON COLUMN main.thread_states.name IS 'the call that makes the state, without its version suffix; NULL for run';
