-- Everything that the page could draw, each on its lane: lost time and ops of each GPU; launches, states, source lines and
-- NVTX ranges of each thread. Narrow, since there may be millions: names are joined to what is drawn.

-- Consecutive Python samples of one line are one interval. A sample speaks for the time to the next one, or for as long as
-- is usual between two of its thread.
CREATE VIEW page_lines AS
WITH samples AS (
    SELECT
        s.global_tid,
        s.at_ns,
        -- the folders above are whose machine it was, and nobody else's business
        format('{}:{} in {}', regexp_extract(s.file, '([^/]+/)?[^/]+$'), s.line, s.function) AS name,
        lead(s.at_ns) OVER thread AS next_ns,
        lag(s.at_ns) OVER thread AS last_ns
    FROM layers.python_samples AS s
    INNER JOIN layers.page_threads AS t ON t.global_tid = s.global_tid
    WINDOW thread AS (PARTITION BY s.global_tid ORDER BY s.at_ns)
),

usual AS (
    SELECT global_tid, 2 * median(next_ns - at_ns) AS longest_ns FROM samples GROUP BY global_tid
),

marked AS (
    SELECT
        s.*,
        CAST(least(coalesce(s.next_ns, s.at_ns), s.at_ns + coalesce(u.longest_ns, 0)) AS BIGINT) AS until_ns,
        coalesce(s.name <> lag(s.name) OVER thread OR s.at_ns - s.last_ns > u.longest_ns, true) AS begins
    FROM samples AS s
    INNER JOIN usual AS u ON u.global_tid = s.global_tid
    WINDOW thread AS (PARTITION BY s.global_tid ORDER BY s.at_ns)
),

runs AS (
    -- not FILTER: over a window its time is quadratic
    SELECT *, count(CASE WHEN begins THEN 1 END) OVER (PARTITION BY global_tid ORDER BY at_ns) AS run FROM marked
)

SELECT global_tid, min(at_ns) AS start_ns, max(until_ns) AS end_ns, any_value(name) AS name, count(*) AS samples
FROM runs
GROUP BY global_tid, run
HAVING max(until_ns) > min(at_ns);

CREATE VIEW page_spans AS
SELECT 'lost' AS track, gpu, pid, NULL AS global_tid, NULL AS stream, 0 AS depth, start_ns, end_ns, CAST(cause AS VARCHAR) AS kind, slice_id AS id, NULL AS name
FROM layers.settled
UNION ALL
SELECT 'stream', gpu, pid, NULL, stream, 0, start_ns, end_ns, CAST(kind AS VARCHAR), op_id, NULL
FROM layers.window_ops
UNION ALL
SELECT 'launch', NULL, pid, global_tid, NULL, 0, launch_start_ns, launch_end_ns, 'launch', min(op_id), NULL
FROM layers.ops
WHERE launch_end_ns > launch_start_ns
GROUP BY pid, global_tid, launch_start_ns, launch_end_ns
UNION ALL
SELECT 'state', NULL, t.pid, s.global_tid, NULL, 0, s.start_ns, s.end_ns, s.state, NULL, n.name
FROM layers.thread_states AS s
INNER JOIN layers.page_threads AS t ON t.global_tid = s.global_tid
LEFT JOIN layers.call_names AS n ON n.string_id = s.name_id
WHERE s.state NOT IN ('run', 'other', 'stream_wait', 'host_function')
UNION ALL
-- what other threads do is not flattened: OS calls, and the GIL
SELECT 'state', NULL, o.pid, o.global_tid, NULL, 0, o.start_ns, o.end_ns, o.kind, NULL, n.text
FROM layers.os_calls AS o
INNER JOIN layers.page_threads AS t ON t.global_tid = o.global_tid AND NOT t.submits
LEFT JOIN layers.strings AS n ON n.string_id = o.name_id
WHERE o.kind IS NOT NULL
UNION ALL
SELECT 'state', NULL, g.pid, g.global_tid, NULL, 0, g.start_ns, g.end_ns, CASE WHEN g.waiting THEN 'lock' ELSE 'gil' END, NULL, g.name
FROM layers.gil_ranges AS g
INNER JOIN layers.page_threads AS t ON t.global_tid = g.global_tid AND NOT t.submits
UNION ALL
SELECT 'line', NULL, layers.pid_of(global_tid), global_tid, NULL, 0, start_ns, end_ns, 'line', NULL, name
FROM layers.page_lines
UNION ALL
SELECT 'range', NULL, e.track, s.global_tid, NULL, p.depth, e.start_ns, e.end_ns, 'range', NULL, e.name
FROM layers.nvtx_events AS e
INNER JOIN layers.nvtx_paths AS p ON p.event_id = e.event_id
INNER JOIN layers.submitters AS s ON s.pid = e.track AND s.main
UNION ALL
SELECT 'range', NULL, n.pid, n.global_tid, NULL, 1, n.start_ns, n.end_ns, 'range', NULL, n.name
FROM layers.nvtx_ranges AS n
INNER JOIN layers.page_threads AS t ON t.global_tid = n.global_tid
WHERE n.global_tid NOT IN (SELECT global_tid FROM layers.submitters WHERE main);

COMMENT ON VIEW page_lines IS 'consecutive Python samples of one line, of the threads that a report shows';
COMMENT ON COLUMN page_lines.global_tid IS 'thread, in threads';
COMMENT ON COLUMN page_lines.start_ns IS 'time of the first sample, ns since the session began';
COMMENT ON COLUMN page_lines.end_ns IS 'until when the last one speaks, ns';
COMMENT ON COLUMN page_lines.name IS 'file, line and function';
COMMENT ON COLUMN page_lines.samples IS 'number of samples';
COMMENT ON VIEW page_spans IS 'all that a report could draw: one row for each box on a lane';
COMMENT ON COLUMN page_spans.track IS 'what the lane shows: lost, stream, launch, state, line or range';
COMMENT ON COLUMN page_spans.gpu IS 'physical GPU; NULL for what threads do';
COMMENT ON COLUMN page_spans.pid IS 'process id';
COMMENT ON COLUMN page_spans.global_tid IS 'thread, in threads; NULL for what GPUs do';
COMMENT ON COLUMN page_spans.stream IS 'CUDA stream; NULL but for ops';
COMMENT ON COLUMN page_spans.depth IS 'of NVTX ranges: 1 for an outermost one; else 0';
COMMENT ON COLUMN page_spans.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN page_spans.end_ns IS 'end, ns';
COMMENT ON COLUMN page_spans.kind IS 'what tells boxes of a lane apart: the cause, the kind of op, or the state';
COMMENT ON COLUMN page_spans.id IS 'slice_id of lost time, op_id of ops and launches; else NULL';
COMMENT ON COLUMN page_spans.name IS 'name, where it is not behind the id';
