-- Lost time by Python line: each segment, split where the line changes that its thread is on.
-- reads: intersect_tiles, trace.lost_segments, trace.sample_spans
CREATE VIEW segment_lines AS
WITH spans AS MATERIALIZED (
    SELECT *, row_number() OVER () AS id FROM trace.sample_spans
),

lost AS (
    SELECT segment_id, on_global_tid AS track, start_ns, end_ns FROM trace.lost_segments
),

tiles AS (
    SELECT id, global_tid AS track, start_ns, end_ns FROM spans
)

SELECT
    l.segment_id,
    s.file,
    s.line,
    s.function,
    CAST(sum(l.end_ns - l.start_ns) AS BIGINT) AS length_ns
FROM intersect_tiles('lost', 'tiles') AS l
LEFT JOIN spans AS s ON s.id = l.tile_id
GROUP BY ALL;

COMMENT ON VIEW segment_lines IS 'each segment split by the Python line that its thread was on; the lines of a segment add up to it';
COMMENT ON COLUMN segment_lines.segment_id IS 'as in segments';
COMMENT ON COLUMN segment_lines.file IS 'file of the innermost frame that is not in a package; NULL where no sample tells';
COMMENT ON COLUMN segment_lines.line IS 'line in that file';
COMMENT ON COLUMN segment_lines.function IS 'function of that frame';
COMMENT ON COLUMN segment_lines.length_ns IS 'how much of the segment, ns';
