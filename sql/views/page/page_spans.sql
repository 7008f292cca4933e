-- One row for each span that a page may draw: lost time, activities, launches, thread states, lines of code, CPU samples and NVTX
-- ranges. There may be millions: each has ids of names, and page_groups has the names.
-- reads: trace.activities, trace.analysed_activities, trace.analysed_time, trace.attributed_segments, trace.copies
-- reads: trace.dispatchers, trace.gil_ranges, trace.launching_threads, trace.main_ranges, trace.nvtx_ranges, trace.os_calls
-- reads: trace.page_lines, trace.page_threads, trace.pid_of, trace.range_paths, trace.runs_code, trace.thread_states
CREATE VIEW page_spans AS
WITH spans AS (
    SELECT
        'lost' AS shows, s.gpu, s.pid, s.start_ns, s.end_ns, s.cause AS kind, s.name_id, s.state, s.on_global_tid, p.path_id
    FROM trace.attributed_segments AS s
    LEFT JOIN trace.range_paths AS p ON p.range_id = s.range_id
    UNION ALL BY NAME
    SELECT
        'stream' AS shows, a.gpu, a.pid, a.stream, a.start_ns, a.end_ns, a.kind, a.name_id, c.direction AS name,
        a.global_tid AS on_global_tid, a.launch_start_ns, a.launch_end_ns, a.activity_id AS id
    FROM trace.analysed_activities AS a
    LEFT JOIN trace.copies AS c ON c.activity_id = a.activity_id
    UNION ALL BY NAME
    -- a launch for each of its activities: those of one call lie on each other
    SELECT
        'launch' AS shows, a.pid, a.global_tid, a.launch_start_ns AS start_ns, a.launch_end_ns AS end_ns, 'launch' AS kind,
        a.name_id, c.direction AS name, a.activity_id AS id
    FROM trace.activities AS a
    LEFT JOIN trace.copies AS c ON c.activity_id = a.activity_id
    WHERE a.launch_end_ns > a.launch_start_ns
    UNION ALL BY NAME
    SELECT 'state' AS shows, t.pid, s.global_tid, s.start_ns, s.end_ns, s.state AS kind, s.name_id
    FROM trace.thread_states AS s
    INNER JOIN trace.page_threads AS t ON t.global_tid = s.global_tid
    WHERE NOT trace.runs_code(s.state)
    UNION ALL BY NAME
    -- most other threads have no states: their OS calls, and their time with the GIL
    SELECT 'state' AS shows, o.pid, o.global_tid, o.start_ns, o.end_ns, o.kind, o.name_id
    FROM trace.os_calls AS o
    INNER JOIN trace.page_threads AS t ON t.global_tid = o.global_tid AND NOT t.submits
    WHERE o.kind IS NOT NULL AND o.global_tid NOT IN (SELECT global_tid FROM trace.dispatchers)
    UNION ALL BY NAME
    SELECT
        'state' AS shows, g.pid, g.global_tid, g.start_ns, g.end_ns, CASE WHEN g.waiting THEN 'lock' ELSE 'gil' END AS kind,
        g.name
    FROM trace.gil_ranges AS g
    INNER JOIN trace.page_threads AS t ON t.global_tid = g.global_tid AND NOT t.submits
    WHERE NOT g.waiting OR g.global_tid NOT IN (SELECT global_tid FROM trace.dispatchers)
    UNION ALL BY NAME
    SELECT shows, trace.pid_of(global_tid) AS pid, global_tid, start_ns, end_ns, shows AS kind, name
    FROM trace.page_lines
    UNION ALL BY NAME
    SELECT 'range' AS shows, e.track AS pid, s.global_tid, p.depth, e.start_ns, e.end_ns, 'range' AS kind, e.name
    FROM trace.main_ranges AS e
    INNER JOIN trace.range_paths AS p ON p.range_id = e.id
    INNER JOIN trace.launching_threads AS s ON s.pid = e.track AND s.main
    UNION ALL BY NAME
    SELECT 'range' AS shows, n.pid, n.global_tid, 1 AS depth, n.start_ns, n.end_ns, 'range' AS kind, n.name
    FROM trace.nvtx_ranges AS n
    INNER JOIN trace.page_threads AS t ON t.global_tid = n.global_tid
    WHERE n.global_tid NOT IN (SELECT global_tid FROM trace.launching_threads WHERE main)
)

SELECT
    s.* REPLACE (
        coalesce(s.depth, 0) AS depth,
        coalesce(s.id, 0) AS id,
        CASE WHEN s.start_ns < a.start_ns THEN a.start_ns ELSE s.start_ns END AS start_ns,
        CASE WHEN s.end_ns > a.end_ns THEN a.end_ns ELSE s.end_ns END AS end_ns
    )
FROM spans AS s, trace.analysed_time AS a
WHERE s.end_ns > a.start_ns AND s.start_ns < a.end_ns;

COMMENT ON VIEW page_spans IS 'all spans that a report could draw';
COMMENT ON COLUMN page_spans.shows IS 'what the track shows: lost (time), stream, launch, state, line (Python samples), native (CPU samples) or range';
COMMENT ON COLUMN page_spans.gpu IS 'physical GPU; NULL for what threads do';
COMMENT ON COLUMN page_spans.global_tid IS 'thread, in threads; NULL for what GPUs do';
COMMENT ON COLUMN page_spans.stream IS 'CUDA stream; NULL but for activities';
COMMENT ON COLUMN page_spans.depth IS 'of NVTX ranges: 1 for an outermost one; else 0';
COMMENT ON COLUMN page_spans.start_ns IS 'start inside the analysed time, ns since the session began';
COMMENT ON COLUMN page_spans.end_ns IS 'end inside it, ns';
COMMENT ON COLUMN page_spans.kind IS 'what tells spans of a track apart: the cause, the kind of activity, or the state';
COMMENT ON COLUMN page_spans.name_id IS 'the kernel or call, in strings; NULL where the name says it';
COMMENT ON COLUMN page_spans.name IS 'the name, where no id leads to it; of a copy its direction';
COMMENT ON COLUMN page_spans.state IS 'of lost time: what the launching thread did, as in segments';
COMMENT ON COLUMN page_spans.on_global_tid IS 'of lost time: the thread that did that; of activities: the launching thread';
COMMENT ON COLUMN page_spans.path_id IS 'of lost time: the NVTX path, in paths';
COMMENT ON COLUMN page_spans.launch_start_ns IS 'of activities: start of the launching call, ns';
COMMENT ON COLUMN page_spans.launch_end_ns IS 'of activities: its end, ns';
COMMENT ON COLUMN page_spans.id IS 'activity_id of activities and launches; else 0';
