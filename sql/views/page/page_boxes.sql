-- One row for each span of page_spans, in numbers alone. Who reads it merges them to levels of detail.
-- reads: trace.page_groups, trace.page_spans
CREATE VIEW page_boxes AS
SELECT s.shows, g.group_id, s.start_ns, s.end_ns, s.launch_start_ns, s.launch_end_ns, s.id
FROM trace.page_spans AS s
INNER JOIN trace.page_groups AS g
    ON
        g.shows = s.shows
        AND g.kind = s.kind
        AND g.depth = s.depth
        AND g.gpu IS NOT DISTINCT FROM s.gpu
        AND g.pid IS NOT DISTINCT FROM s.pid
        AND g.global_tid IS NOT DISTINCT FROM s.global_tid
        AND g.stream IS NOT DISTINCT FROM s.stream
        AND g.name_id IS NOT DISTINCT FROM s.name_id
        AND g.own_name IS NOT DISTINCT FROM s.name
        AND g.state IS NOT DISTINCT FROM s.state
        AND g.on_global_tid IS NOT DISTINCT FROM s.on_global_tid
        AND g.path_id IS NOT DISTINCT FROM s.path_id;

COMMENT ON VIEW page_boxes IS 'all spans that a report could draw, in numbers';
COMMENT ON COLUMN page_boxes.start_ns IS 'as in page_spans';
COMMENT ON COLUMN page_boxes.end_ns IS 'as in page_spans';
COMMENT ON COLUMN page_boxes.launch_start_ns IS 'as in page_spans';
COMMENT ON COLUMN page_boxes.launch_end_ns IS 'as in page_spans';
COMMENT ON COLUMN page_boxes.id IS 'as in page_spans';
