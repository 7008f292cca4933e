-- One row for each box that a page may draw: lost time, activities, launches, thread states, Python lines and NVTX ranges.
-- There may be millions, so names are joined later, to those that are drawn.
-- reads: trace.activities, trace.analysed_activities, trace.analysed_time, trace.attributed_segments, trace.call_names
-- reads: trace.gil_ranges, trace.launching_threads, trace.nvtx_events, trace.nvtx_paths, trace.nvtx_ranges, trace.os_calls
-- reads: trace.page_lines, trace.page_threads, trace.pid_of, trace.strings, trace.thread_states
CREATE TABLE page_spans AS
WITH spans AS (
    SELECT
        'lost' AS track, gpu, pid, NULL AS global_tid, NULL AS stream, 0 AS depth, start_ns, end_ns,
        cause AS kind, segment_id AS id, NULL AS name
    FROM trace.attributed_segments
    UNION ALL
    SELECT 'stream', gpu, pid, NULL, stream, 0, start_ns, end_ns, kind, activity_id, NULL
    FROM trace.analysed_activities
    UNION ALL
    SELECT 'launch', NULL, pid, global_tid, NULL, 0, launch_start_ns, launch_end_ns, 'launch', min(activity_id), NULL
    FROM trace.activities
    WHERE launch_end_ns > launch_start_ns
    GROUP BY pid, global_tid, launch_start_ns, launch_end_ns
    UNION ALL
    SELECT 'state', NULL, t.pid, s.global_tid, NULL, 0, s.start_ns, s.end_ns, s.state, NULL, n.name
    FROM trace.thread_states AS s
    INNER JOIN trace.page_threads AS t ON t.global_tid = s.global_tid
    LEFT JOIN trace.call_names AS n ON n.string_id = s.name_id
    WHERE s.state NOT IN ('run', 'other', 'stream_wait', 'host_function')
    UNION ALL
    -- other threads have no states: their OS calls, and their time with the GIL
    SELECT 'state', NULL, o.pid, o.global_tid, NULL, 0, o.start_ns, o.end_ns, o.kind, NULL, n.text
    FROM trace.os_calls AS o
    INNER JOIN trace.page_threads AS t ON t.global_tid = o.global_tid AND NOT t.submits
    LEFT JOIN trace.strings AS n ON n.string_id = o.name_id
    WHERE o.kind IS NOT NULL
    UNION ALL
    SELECT
        'state', NULL, g.pid, g.global_tid, NULL, 0, g.start_ns, g.end_ns,
        CASE WHEN g.waiting THEN 'lock' ELSE 'gil' END, NULL, g.name
    FROM trace.gil_ranges AS g
    INNER JOIN trace.page_threads AS t ON t.global_tid = g.global_tid AND NOT t.submits
    UNION ALL
    SELECT 'line', NULL, trace.pid_of(global_tid), global_tid, NULL, 0, start_ns, end_ns, 'line', NULL, name
    FROM trace.page_lines
    UNION ALL
    SELECT 'range', NULL, e.track, s.global_tid, NULL, p.depth, e.start_ns, e.end_ns, 'range', NULL, e.name
    FROM trace.nvtx_events AS e
    INNER JOIN trace.nvtx_paths AS p ON p.range_id = e.id
    INNER JOIN trace.launching_threads AS s ON s.pid = e.track AND s.main
    UNION ALL
    SELECT 'range', NULL, n.pid, n.global_tid, NULL, 1, n.start_ns, n.end_ns, 'range', NULL, n.name
    FROM trace.nvtx_ranges AS n
    INNER JOIN trace.page_threads AS t ON t.global_tid = n.global_tid
    WHERE n.global_tid NOT IN (SELECT global_tid FROM trace.launching_threads WHERE main)
)

SELECT
    s.* REPLACE (
        CASE WHEN s.start_ns < a.start_ns THEN a.start_ns ELSE s.start_ns END AS start_ns,
        CASE WHEN s.end_ns > a.end_ns THEN a.end_ns ELSE s.end_ns END AS end_ns
    )
FROM spans AS s, trace.analysed_time AS a
WHERE s.end_ns > a.start_ns AND s.start_ns < a.end_ns;

COMMENT ON TABLE page_spans IS 'all boxes that a report could draw';
COMMENT ON COLUMN page_spans.track IS 'what the lane shows: lost, stream, launch, state, line or range';
COMMENT ON COLUMN page_spans.gpu IS 'physical GPU; NULL for what threads do';
COMMENT ON COLUMN page_spans.pid IS 'process id';
COMMENT ON COLUMN page_spans.global_tid IS 'thread, in threads; NULL for what GPUs do';
COMMENT ON COLUMN page_spans.stream IS 'CUDA stream; NULL but for activities';
COMMENT ON COLUMN page_spans.depth IS 'of NVTX ranges: 1 for an outermost one; else 0';
COMMENT ON COLUMN page_spans.start_ns IS 'start inside the analysed time, ns since the session began';
COMMENT ON COLUMN page_spans.end_ns IS 'end inside it, ns';
COMMENT ON COLUMN page_spans.kind IS 'what tells boxes of a lane apart: the cause, the kind of activity, or the state';
COMMENT ON COLUMN page_spans.id IS 'segment_id of lost time, activity_id of activities and launches; else NULL';
COMMENT ON COLUMN page_spans.name IS 'name, where the id does not lead to it';
