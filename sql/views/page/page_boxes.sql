-- One row for each box of the timeline of a page, with names. Level 0 has every span, with launches in the columns of their
-- activities, which are fewer numbers; at the levels of page_levels, short spans that lie close together are one box. Who reads
-- it chooses levels, and of level 0 the stretches that the page has room for.
-- reads: trace.activities, trace.activity_names, trace.analysed_time, trace.attributed_segments, trace.call_names
-- reads: trace.nvtx_paths, trace.page_levels, trace.page_spans, trace.page_stretches, trace.page_threads, trace.thread_names
CREATE VIEW page_boxes AS
WITH placed AS (
    SELECT
        b.*,
        -- what lies in three and more is long, and always drawn
        CASE WHEN l.stretch - f.stretch > 1 THEN 0 ELSE least(f.boxes_so_far, l.boxes_so_far) END AS boxes_so_far
    FROM trace.page_spans AS b
    ASOF LEFT JOIN trace.page_stretches AS f ON b.start_ns >= f.start_ns
    ASOF LEFT JOIN trace.page_stretches AS l ON b.end_ns > l.start_ns
),

cut AS (
    SELECT
        s.*,
        n.resolution_ns,
        s.end_ns - s.start_ns < n.resolution_ns AS short,
        -- no merged box is longer than four pixels, so that one still sees where the lane is dense
        (s.start_ns - a.start_ns) // (4 * n.resolution_ns) AS bucket
    FROM trace.page_spans AS s
    CROSS JOIN trace.page_levels AS n
    CROSS JOIN trace.analysed_time AS a
),

boxes AS (
    SELECT
        0 AS resolution_ns, boxes_so_far, track, gpu, pid, global_tid, stream, depth, kind, start_ns, end_ns, id, name,
        1 AS times, end_ns - start_ns AS busy_ns
    FROM placed
    WHERE track <> 'launch'
    UNION ALL
    SELECT
        resolution_ns, 0, track, gpu, pid, global_tid, stream, depth, kind, start_ns, end_ns, id, name,
        1, end_ns - start_ns
    FROM cut
    WHERE NOT short
    UNION ALL
    SELECT
        resolution_ns, 0, track, gpu, pid, global_tid, stream, depth, kind, min(start_ns), max(end_ns),
        CASE WHEN count(*) = 1 THEN any_value(id) END,
        CASE WHEN min(name) = max(name) THEN min(name) END,
        count(*),
        CAST(sum(end_ns - start_ns) AS BIGINT)
    FROM cut
    WHERE short
    GROUP BY resolution_ns, track, gpu, pid, global_tid, stream, depth, kind, bucket
)

SELECT
    b.resolution_ns,
    b.boxes_so_far,
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
    l.launch_start_ns,
    l.launch_end_ns,
    h.place AS launch_place
FROM boxes AS b
LEFT JOIN trace.activity_names AS a ON a.activity_id = CASE WHEN b.track IN ('stream', 'launch') THEN b.id END
LEFT JOIN trace.activities AS l ON l.activity_id = CASE WHEN b.track = 'stream' THEN b.id END
LEFT JOIN trace.page_threads AS h ON h.global_tid = l.global_tid
LEFT JOIN trace.attributed_segments AS s ON s.segment_id = CASE WHEN b.track = 'lost' THEN b.id END
LEFT JOIN trace.call_names AS c ON c.string_id = s.name_id
LEFT JOIN trace.thread_names AS t ON t.global_tid = s.on_global_tid
LEFT JOIN trace.nvtx_paths AS n ON n.range_id = s.range_id
ORDER BY
    b.track, b.gpu, b.pid, b.global_tid, b.stream, b.depth, b.resolution_ns, b.start_ns, b.end_ns DESC, b.kind, b.id;

COMMENT ON VIEW page_boxes IS 'what a page draws on its timeline, at each level of detail';
COMMENT ON COLUMN page_boxes.resolution_ns IS 'the level of detail, as in page_levels; 0 where nothing is merged';
COMMENT ON COLUMN page_boxes.boxes_so_far IS 'of level 0: as in page_stretches, of the more important of the stretches in which it lies; 0 where it lies in three or more';
COMMENT ON COLUMN page_boxes.track IS 'as in page_spans';
COMMENT ON COLUMN page_boxes.gpu IS 'physical GPU; NULL for what threads do';
COMMENT ON COLUMN page_boxes.pid IS 'process id';
COMMENT ON COLUMN page_boxes.global_tid IS 'thread, in threads; NULL for what GPUs do';
COMMENT ON COLUMN page_boxes.stream IS 'CUDA stream; NULL but for activities';
COMMENT ON COLUMN page_boxes.depth IS 'of NVTX ranges: 1 for an outermost one; else 0';
COMMENT ON COLUMN page_boxes.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN page_boxes.end_ns IS 'end, ns';
COMMENT ON COLUMN page_boxes.kind IS 'as in page_spans';
COMMENT ON COLUMN page_boxes.times IS 'number of spans that were merged; 1 where none was';
COMMENT ON COLUMN page_boxes.busy_ns IS 'time of these spans, ns';
COMMENT ON COLUMN page_boxes.name IS 'name; NULL where spans of several names were merged';
COMMENT ON COLUMN page_boxes.state IS 'of lost time: what the launching thread did, as in segments';
COMMENT ON COLUMN page_boxes."call" IS 'of lost time: the call in which it did that';
COMMENT ON COLUMN page_boxes.thread IS 'of lost time: the thread that did that';
COMMENT ON COLUMN page_boxes.nvtx IS 'of lost time: NVTX path';
COMMENT ON COLUMN page_boxes.launch_start_ns IS 'of activities: start of the launching call, ns';
COMMENT ON COLUMN page_boxes.launch_end_ns IS 'of activities: its end, ns';
COMMENT ON COLUMN page_boxes.launch_place IS 'of activities: place of the launching thread, as in page_threads';
