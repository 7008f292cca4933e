-- Segments with their cause, and with names.
-- reads: trace.activity_names, trace.call_names, trace.nvtx_paths, trace.thread_names, trace.window_segments, trace.window_steps
CREATE VIEW main.segments AS
SELECT
    s.segment_id,
    s.gap_id,
    s.activity_id,
    s.gpu,
    s.pid,
    s.start_ns,
    s.end_ns,
    s.end_ns - s.start_ns AS length_ns,
    s.cause,
    s.basis,
    s.state,
    c.name AS "call",
    a.name AS activity,
    t.thread,
    t.process,
    n.path AS nvtx,
    CASE WHEN w.end_ns > s.start_ns THEN w.step END AS step
FROM trace.window_segments AS s
LEFT JOIN trace.call_names AS c ON c.string_id = s.name_id
LEFT JOIN trace.activity_names AS a ON a.activity_id = coalesce(s.activity_id, s.gap_id)
LEFT JOIN trace.thread_names AS t ON t.global_tid = s.on_global_tid
LEFT JOIN trace.nvtx_paths AS n ON n.range_id = s.range_id
ASOF LEFT JOIN trace.window_steps AS w ON s.start_ns >= w.start_ns;

COMMENT ON VIEW main.segments IS 'all lost time of the window, in pieces in which the launching thread''s state does not change, with causes and names';
COMMENT ON COLUMN main.segments.basis IS 'how the cause is known: seen, named or inferred; NULL where no rule explains the segment';
COMMENT ON COLUMN main.segments."call" IS 'the call that makes the state, without its version suffix';
COMMENT ON COLUMN main.segments.activity IS 'the exposed or interrupted activity, or the one that ends the gap';
COMMENT ON COLUMN main.segments.thread IS 'name of the thread whose state it is';
COMMENT ON COLUMN main.segments.process IS 'name of its process';
COMMENT ON COLUMN main.segments.nvtx IS 'path of the innermost NVTX range of the process''s main thread, as in trace.segments';
COMMENT ON COLUMN main.segments.step IS 'the step in which it begins, as in steps; NULL where there is none';
