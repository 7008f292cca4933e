-- One row for each box that a report draws on the timeline of a step, with names: the spans of the steps that it shows, cut to
-- the step. Short ones that lie close together are one box.
-- reads: trace.activities, trace.activity_names, trace.call_names, trace.lost_segments, trace.nvtx_paths, trace.page_spans
-- reads: trace.page_steps, trace.thread_names
CREATE VIEW page_boxes AS
WITH cut AS (
    SELECT
        n.step,
        n.resolution_ns,
        s.* REPLACE (greatest(s.start_ns, n.start_ns) AS start_ns, least(s.end_ns, n.end_ns) AS end_ns),
        least(s.end_ns, n.end_ns) - greatest(s.start_ns, n.start_ns) < n.resolution_ns AS short,
        -- no merged box is longer than four pixels, so that one still sees where the lane is dense
        CASE WHEN n.resolution_ns > 0 THEN (greatest(s.start_ns, n.start_ns) - n.start_ns) // (4 * n.resolution_ns) END AS bucket
    FROM trace.page_spans AS s
    INNER JOIN trace.page_steps AS n ON s.start_ns < n.end_ns AND s.end_ns > n.start_ns
    WHERE n.resolution_ns IS NOT NULL
),

boxes AS (
    SELECT
        step, track, gpu, pid, global_tid, stream, depth, kind, start_ns, end_ns, id, name,
        1 AS times, end_ns - start_ns AS busy_ns
    FROM cut
    WHERE NOT short
    UNION ALL
    SELECT
        step, track, gpu, pid, global_tid, stream, depth, kind, min(start_ns), max(end_ns),
        CASE WHEN count(*) = 1 THEN any_value(id) END,
        CASE WHEN min(name) = max(name) THEN min(name) END,
        count(*),
        CAST(sum(end_ns - start_ns) AS BIGINT)
    FROM cut
    WHERE short
    GROUP BY step, track, gpu, pid, global_tid, stream, depth, kind, bucket
)

SELECT
    b.step,
    b.track,
    b.gpu,
    b.pid,
    b.global_tid,
    b.stream,
    b.depth,
    b.start_ns,
    b.end_ns,
    b.kind,
    b.times,
    b.busy_ns,
    coalesce(b.name, a.name) AS name,
    s.state,
    c.name AS "call",
    t.thread,
    n.path AS nvtx,
    coalesce(s.gap_id, s.activity_id) AS place_id,
    s.gap_id IS NOT NULL AS is_gap,
    b.start_ns - l.launch_start_ns AS launched_ns
FROM boxes AS b
LEFT JOIN trace.activity_names AS a ON a.activity_id = CASE WHEN b.track IN ('stream', 'launch') THEN b.id END
LEFT JOIN trace.activities AS l ON l.activity_id = CASE WHEN b.track = 'stream' THEN b.id END
LEFT JOIN trace.lost_segments AS s ON s.segment_id = CASE WHEN b.track = 'lost' THEN b.id END
LEFT JOIN trace.call_names AS c ON c.string_id = s.name_id
LEFT JOIN trace.thread_names AS t ON t.global_tid = s.on_global_tid
LEFT JOIN trace.nvtx_paths AS n ON n.range_id = s.range_id
ORDER BY b.step, b.track, b.gpu, b.pid, b.global_tid, b.stream, b.depth, b.start_ns, b.end_ns, b.kind, b.id;

COMMENT ON VIEW page_boxes IS 'what a report draws on the timelines of its steps';
COMMENT ON COLUMN page_boxes.step IS 'as in page_steps';
COMMENT ON COLUMN page_boxes.track IS 'as in page_spans';
COMMENT ON COLUMN page_boxes.gpu IS 'physical GPU; NULL for what threads do';
COMMENT ON COLUMN page_boxes.pid IS 'process id';
COMMENT ON COLUMN page_boxes.global_tid IS 'thread, in threads; NULL for what GPUs do';
COMMENT ON COLUMN page_boxes.stream IS 'CUDA stream; NULL but for activities';
COMMENT ON COLUMN page_boxes.depth IS 'of NVTX ranges: 1 for an outermost one; else 0';
COMMENT ON COLUMN page_boxes.start_ns IS 'start inside the step, ns since the session began';
COMMENT ON COLUMN page_boxes.end_ns IS 'end inside the step, ns';
COMMENT ON COLUMN page_boxes.kind IS 'as in page_spans';
COMMENT ON COLUMN page_boxes.times IS 'number of spans that were merged; 1 where none was';
COMMENT ON COLUMN page_boxes.busy_ns IS 'time of these spans, ns';
COMMENT ON COLUMN page_boxes.name IS 'name; NULL where spans of several names were merged';
COMMENT ON COLUMN page_boxes.state IS 'of lost time: what the launching thread did, as in segments';
COMMENT ON COLUMN page_boxes."call" IS 'of lost time: the call in which it did that';
COMMENT ON COLUMN page_boxes.thread IS 'of lost time: the thread that did that';
COMMENT ON COLUMN page_boxes.nvtx IS 'of lost time: NVTX path';
COMMENT ON COLUMN page_boxes.place_id IS 'of lost time: gap_id of the gap, activity_id of the exposed activity';
COMMENT ON COLUMN page_boxes.is_gap IS 'of lost time: true in a gap';
COMMENT ON COLUMN page_boxes.launched_ns IS 'of activities: time from the start of the launching call to the start of the activity, ns';
