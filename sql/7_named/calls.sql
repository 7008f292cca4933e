-- What threads did, with the names of the calls and of the threads.
CREATE VIEW main.calls AS
SELECT
    c.* EXCLUDE (name_id),
    s.name,
    c.end_ns - c.start_ns AS length_ns,
    t.thread,
    t.process
FROM layers.calls AS c
LEFT JOIN layers.call_names AS s ON s.string_id = c.name_id
LEFT JOIN layers.thread_names AS t ON t.global_tid = c.global_tid;

CREATE VIEW main.os_calls AS
SELECT c.* EXCLUDE (name_id), s.text AS name, c.end_ns - c.start_ns AS length_ns, t.thread, t.process
FROM layers.os_calls AS c
LEFT JOIN layers.strings AS s ON s.string_id = c.name_id
LEFT JOIN layers.thread_names AS t ON t.global_tid = c.global_tid;

CREATE VIEW main.profiler_overheads AS
SELECT c.* EXCLUDE (name_id), s.text AS name, c.end_ns - c.start_ns AS length_ns, t.thread, t.process
FROM layers.profiler_overheads AS c
LEFT JOIN layers.strings AS s ON s.string_id = c.name_id
LEFT JOIN layers.thread_names AS t ON t.global_tid = c.global_tid;

CREATE VIEW main.blocking_calls AS
SELECT
    c.* EXCLUDE (name_id, waits_for),
    CAST(c.waits_for AS VARCHAR) AS waits_for,
    s.name,
    c.end_ns - c.start_ns AS length_ns,
    coalesce(l.lost_ns, 0) AS lost_ns,
    t.thread,
    t.process,
    CASE WHEN r.end_ns > c.start_ns THEN p.path END AS nvtx
FROM layers.blocking_calls AS c
LEFT JOIN layers.call_names AS s ON s.string_id = c.name_id
LEFT JOIN layers.thread_names AS t ON t.global_tid = c.global_tid
LEFT JOIN layers.blocking_losses AS l ON l.global_tid = c.global_tid AND l.start_ns = c.start_ns
ASOF LEFT JOIN layers.nvtx_states AS r ON r.pid = c.pid AND c.start_ns >= r.start_ns
LEFT JOIN layers.nvtx_paths AS p ON p.event_id = r.range_id
QUALIFY row_number() OVER (PARTITION BY c.global_tid, c.start_ns ORDER BY c.end_ns DESC) = 1;

CREATE VIEW main.gil_ranges AS
SELECT c.* EXCLUDE (name_id), c.end_ns - c.start_ns AS length_ns, t.thread, t.process
FROM layers.gil_ranges AS c
LEFT JOIN layers.thread_names AS t ON t.global_tid = c.global_tid;

COMMENT ON VIEW main.calls IS 'CUDA runtime and driver API calls with names; those that only ask a question (cuKernelGetName, …) are not read';
COMMENT ON COLUMN main.calls.name IS 'name without its version suffix';
COMMENT ON COLUMN main.calls.length_ns IS 'length, ns';
COMMENT ON COLUMN main.calls.thread IS 'name of the thread';
COMMENT ON COLUMN main.calls.process IS 'name of the process';
COMMENT ON VIEW main.os_calls IS 'calls into the operating system with names; empty without --trace=osrt';
COMMENT ON COLUMN main.os_calls.name IS 'name of the call';
COMMENT ON COLUMN main.os_calls.length_ns IS 'length, ns';
COMMENT ON COLUMN main.os_calls.thread IS 'name of the thread';
COMMENT ON COLUMN main.os_calls.process IS 'name of the process';
COMMENT ON VIEW main.profiler_overheads IS 'time that Nsight Systems took for itself, with names';
COMMENT ON COLUMN main.profiler_overheads.name IS 'what it did';
COMMENT ON COLUMN main.profiler_overheads.length_ns IS 'length, ns';
COMMENT ON COLUMN main.profiler_overheads.thread IS 'name of the thread';
COMMENT ON COLUMN main.profiler_overheads.process IS 'name of the process';
COMMENT ON VIEW main.blocking_calls IS 'calls in which the CPU waits for the GPU, or for memory, with names; a blocking copy and its synchronize call are one';
COMMENT ON COLUMN main.blocking_calls.name IS 'name without its version suffix';
COMMENT ON COLUMN main.blocking_calls.length_ns IS 'length, ns';
COMMENT ON COLUMN main.blocking_calls.lost_ns IS 'time lost in it, in its own copy, and after it for want of the run-ahead that it took, ns; 0 where it cost nothing';
COMMENT ON COLUMN main.blocking_calls.thread IS 'name of the thread';
COMMENT ON COLUMN main.blocking_calls.process IS 'name of the process';
COMMENT ON COLUMN main.blocking_calls.nvtx IS 'path of the NVTX range that was open on the main thread as it began';
COMMENT ON VIEW main.gil_ranges IS 'intervals in which a thread waits for the Python GIL or holds it, with names; empty without --trace=python-gil';
COMMENT ON COLUMN main.gil_ranges.length_ns IS 'length, ns';
COMMENT ON COLUMN main.gil_ranges.thread IS 'name of the thread';
COMMENT ON COLUMN main.gil_ranges.process IS 'name of the process';
