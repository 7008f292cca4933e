-- CUDA calls with names.
-- reads: trace.call_names, trace.calls, trace.thread_names
CREATE VIEW main.calls AS
SELECT
    c.* EXCLUDE (name_id),
    s.name,
    c.end_ns - c.start_ns AS length_ns,
    t.thread,
    t.process
FROM trace.calls AS c
LEFT JOIN trace.call_names AS s ON s.string_id = c.name_id
LEFT JOIN trace.thread_names AS t ON t.global_tid = c.global_tid;

COMMENT ON VIEW main.calls IS 'CUDA runtime and driver API calls with names, without those that only ask a question (cuKernelGetName, …)';
COMMENT ON COLUMN main.calls.name IS 'name without its version suffix';
