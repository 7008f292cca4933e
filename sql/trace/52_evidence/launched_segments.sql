-- One row for each segment of work that was launched in time: the GPU runs it late, or it is exposed. What the thread does by
-- then tells nothing about it, only what it did when it launched this work.
-- reads: activities, gaps, window_segments
CREATE VIEW launched_segments AS
SELECT
    s.segment_id,
    s.gpu,
    s.cause,
    coalesce(a.global_tid, g.global_tid) AS global_tid,
    coalesce(a.launch_start_ns, g.launch_start_ns) AS launch_start_ns
FROM window_segments AS s
LEFT JOIN activities AS a ON a.activity_id = s.activity_id
LEFT JOIN gaps AS g ON g.gap_id = s.gap_id
WHERE s.activity_id IS NOT NULL OR s.state IN ('queued', 'stalled');

COMMENT ON VIEW launched_segments IS 'segments of work that was launched in time';
COMMENT ON COLUMN launched_segments.gpu IS 'the GPU that the segment is of';
COMMENT ON COLUMN launched_segments.cause IS 'cause of the segment';
COMMENT ON COLUMN launched_segments.global_tid IS 'thread that launched the work';
COMMENT ON COLUMN launched_segments.launch_start_ns IS 'CPU start of the launch, ns since the session began; NULL where the trace has no call for the work';
