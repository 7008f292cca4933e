-- Waiting for the GIL and holding it, with names.
-- reads: trace.gil_ranges, trace.thread_names
CREATE VIEW main.gil_ranges AS
SELECT c.* EXCLUDE (name_id), c.end_ns - c.start_ns AS length_ns, t.thread, t.process
FROM trace.gil_ranges AS c
LEFT JOIN trace.thread_names AS t ON t.global_tid = c.global_tid;

COMMENT ON VIEW main.gil_ranges IS 'intervals in which a thread waits for the Python GIL or holds it, with names; empty where the GIL was not traced';
