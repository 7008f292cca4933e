-- Blocking calls with names, and what each cost. A copy call with its synchronize call is one row.
-- reads: trace.blocking_calls, trace.blocking_losses, trace.call_names, trace.nvtx_paths, trace.nvtx_states, trace.thread_names
CREATE VIEW main.blocking_calls AS
SELECT
    c.* EXCLUDE (name_id, waits_for),
    c.waits_for,
    s.name,
    c.end_ns - c.start_ns AS length_ns,
    coalesce(l.lost_ns, 0) AS lost_ns,
    t.thread,
    t.process,
    CASE WHEN r.end_ns > c.start_ns THEN p.path END AS nvtx
FROM trace.blocking_calls AS c
LEFT JOIN trace.call_names AS s ON s.string_id = c.name_id
LEFT JOIN trace.thread_names AS t ON t.global_tid = c.global_tid
LEFT JOIN trace.blocking_losses AS l ON l.global_tid = c.global_tid AND l.start_ns = c.start_ns
ASOF LEFT JOIN trace.nvtx_states AS r ON r.pid = c.pid AND c.start_ns >= r.start_ns
LEFT JOIN trace.nvtx_paths AS p ON p.range_id = r.range_id
QUALIFY row_number() OVER (PARTITION BY c.global_tid, c.start_ns ORDER BY c.end_ns DESC) = 1;

COMMENT ON VIEW main.blocking_calls IS 'calls in which the CPU waits for the GPU, or for memory, with names; a copy call with its synchronize call is one';
COMMENT ON COLUMN main.blocking_calls.name IS 'name without its version suffix';
COMMENT ON COLUMN main.blocking_calls.lost_ns IS 'lost time in it, in its own copy, and after it while its run-ahead is lacking, ns; 0 where it cost nothing';
COMMENT ON COLUMN main.blocking_calls.nvtx IS 'path of the NVTX range that was open on the main thread when it began';
