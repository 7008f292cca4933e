-- The profiler's own work, with names.
-- reads: trace.profiler_overheads, trace.strings, trace.thread_names
CREATE VIEW main.profiler_overheads AS
SELECT c.* EXCLUDE (name_id), s.text AS name, c.end_ns - c.start_ns AS length_ns, t.thread, t.process
FROM trace.profiler_overheads AS c
LEFT JOIN trace.strings AS s ON s.string_id = c.name_id
LEFT JOIN trace.thread_names AS t ON t.global_tid = c.global_tid;

COMMENT ON VIEW main.profiler_overheads IS 'time that Nsight Systems took for itself, with names';
COMMENT ON COLUMN main.profiler_overheads.name IS 'what it did';
