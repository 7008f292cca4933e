-- One row for each level of detail at which a page could draw all of the analysed time. At a level, boxes that
-- are shorter than its resolution and lie close together are one box. The coarsest has 1,200 pixels, each finer one 4 times more.
-- reads: trace.analysed_time, trace.page_spans
CREATE TABLE page_levels AS
WITH lanes AS (
    SELECT count(*) AS boxes
    FROM trace.page_spans
    GROUP BY track, gpu, pid, global_tid, stream, depth
),

levels AS (
    SELECT 1200 * CAST(power(4, n) AS BIGINT) AS pixels FROM range(8) AS finer (n)
)

SELECT
    n.pixels,
    CAST(greatest(1, (a.end_ns - a.start_ns) // n.pixels) AS BIGINT) AS resolution_ns,
    -- a lane has at most one longer box for each pixel, and of short ones one for each four pixels and kind
    CAST(sum(least(l.boxes, 2 * n.pixels)) AS BIGINT) AS boxes_at_most
FROM levels AS n
CROSS JOIN lanes AS l
CROSS JOIN trace.analysed_time AS a
GROUP BY n.pixels, a.start_ns, a.end_ns;

COMMENT ON TABLE page_levels IS 'the levels of detail at which a page could draw the whole timeline';
COMMENT ON COLUMN page_levels.pixels IS 'width for which it is made, in pixels';
COMMENT ON COLUMN page_levels.resolution_ns IS 'time of one pixel, ns: shorter boxes that lie close together are one';
COMMENT ON COLUMN page_levels.boxes_at_most IS 'number of boxes that it has at most';
