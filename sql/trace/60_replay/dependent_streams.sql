-- Streams whose activities end gaps, by the cause of the gap.
-- reads: activities, lost_segments
CREATE VIEW dependent_streams AS
SELECT DISTINCT s.cause, a.pid, a.stream
FROM lost_segments AS s
INNER JOIN activities AS a ON a.activity_id = s.gap_id;

COMMENT ON VIEW dependent_streams IS 'streams that lose time before an activity, by cause';
COMMENT ON COLUMN dependent_streams.cause IS 'id of the cause';
COMMENT ON COLUMN dependent_streams.pid IS 'process id';
COMMENT ON COLUMN dependent_streams.stream IS 'CUDA stream';
