-- One row for each segment in which the thread makes a slow launch, which may count as its code. A segment that is much longer
-- than the launch is mostly other code.
-- reads: segments, slow_launches
CREATE TABLE slow_launch_segments AS
SELECT s.segment_id, l.loads_code
FROM segments AS s
INNER JOIN slow_launches AS l ON l.gap_id = s.gap_id
WHERE s.state IN ('run', 'launch') AND s.end_ns > l.launch_start_ns AND s.end_ns - s.start_ns <= 2 * l.launch_ns;

COMMENT ON TABLE slow_launch_segments IS 'segments in which a slow launch is made';
