-- OS calls with names.
-- reads: trace.os_calls, trace.strings, trace.thread_names
CREATE VIEW main.os_calls AS
SELECT c.* EXCLUDE (name_id), s.text AS name, c.end_ns - c.start_ns AS length_ns, t.thread, t.process
FROM trace.os_calls AS c
LEFT JOIN trace.strings AS s ON s.string_id = c.name_id
LEFT JOIN trace.thread_names AS t ON t.global_tid = c.global_tid;

COMMENT ON VIEW main.os_calls IS 'calls into the operating system with names; empty where they were not traced';
COMMENT ON COLUMN main.os_calls.name IS 'name of the call';
