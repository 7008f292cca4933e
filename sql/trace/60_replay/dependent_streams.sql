-- One row for each cause and stream of a GPU: a gap that the stream's activity ends has a segment of the cause.
-- reads: activities, causes, window_segments
CREATE TABLE dependent_streams AS
SELECT DISTINCT s.cause, a.pid, a.gpu, a.stream
FROM window_segments AS s
INNER JOIN causes AS c ON c.cause = s.cause AND c.removes_streams
INNER JOIN activities AS a ON a.activity_id = s.gap_id;

COMMENT ON TABLE dependent_streams IS 'streams whose activities end gaps, by the causes of these gaps';
