-- Lost time by Python line: each segment, split where the line changes that its thread is on.
-- reads: intersect_tiles, trace.python_samples, trace.sample_tiles, trace.segment_tracks
CREATE TABLE segment_lines AS
SELECT
    CAST(l.id AS INTEGER) AS segment_id,
    s.file,
    s.line,
    s.function,
    CAST(sum(l.end_ns - l.start_ns) AS BIGINT) AS length_ns
FROM intersect_tiles('segment_tracks', 'sample_tiles') AS l
LEFT JOIN trace.python_samples AS s ON s.sample_id = l.tile_id
GROUP BY ALL;

COMMENT ON TABLE segment_lines IS 'each segment split by the Python line that its thread was on; the lines of a segment add up to it';
COMMENT ON COLUMN segment_lines.file IS 'file of the innermost frame that is not in a package; NULL where no sample tells';
COMMENT ON COLUMN segment_lines.length_ns IS 'how much of the segment, ns';
