-- The segments of the window, each with its one cause.
-- reads: attributed_segments, window_pieces
CREATE VIEW lost_segments AS
SELECT *
FROM attributed_segments
WHERE regime IN (SELECT regime FROM window_pieces);

COMMENT ON VIEW lost_segments IS 'the segments of the window, each with its one cause';
COMMENT ON COLUMN lost_segments.segment_id IS 'as in segments';
COMMENT ON COLUMN lost_segments.regime IS 'as in segments';
COMMENT ON COLUMN lost_segments.gap_id IS 'as in segments';
COMMENT ON COLUMN lost_segments.activity_id IS 'as in segments';
COMMENT ON COLUMN lost_segments.gpu IS 'as in segments';
COMMENT ON COLUMN lost_segments.pid IS 'as in segments';
COMMENT ON COLUMN lost_segments.start_ns IS 'as in segments';
COMMENT ON COLUMN lost_segments.end_ns IS 'as in segments';
COMMENT ON COLUMN lost_segments.state IS 'as in segments';
COMMENT ON COLUMN lost_segments.name_id IS 'as in segments';
COMMENT ON COLUMN lost_segments.on_global_tid IS 'as in segments';
COMMENT ON COLUMN lost_segments.range_id IS 'as in segments';
COMMENT ON COLUMN lost_segments.lacks_run_ahead IS 'as in segments';
COMMENT ON COLUMN lost_segments.cause IS 'id of the cause';
COMMENT ON COLUMN lost_segments.basis IS 'how it is known: seen (the call, the activity or a sample says so), named (by its NVTX range) or inferred; NULL where it is unexplained';
