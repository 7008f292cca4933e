-- One row for each segment that begins in a range which a library opened on the segment's thread and named after a cause.
-- reads: library_ranges, library_tiles, segments
CREATE TABLE library_segments AS
SELECT s.segment_id, r.cause
FROM segments AS s
ASOF INNER JOIN library_tiles AS t ON t.track = s.on_global_tid AND s.start_ns >= t.start_ns
INNER JOIN library_ranges AS r ON r.id = t.id
WHERE s.start_ns < t.end_ns;

COMMENT ON TABLE library_segments IS 'segments in a range that a library named after a cause';
