-- The segments of the window, each with its one cause.
-- reads: attributed_segments, window_gpus, window_regimes
CREATE VIEW window_segments AS
SELECT *
FROM attributed_segments
WHERE regime IN (SELECT regime FROM window_regimes) AND gpu IN (FROM window_gpus);

COMMENT ON VIEW window_segments IS 'the segments of the window, each with its one cause';
COMMENT ON COLUMN window_segments.regime IS 'as in segments';
COMMENT ON COLUMN window_segments.gap_id IS 'as in segments';
COMMENT ON COLUMN window_segments.activity_id IS 'as in segments';
COMMENT ON COLUMN window_segments.start_ns IS 'as in segments';
COMMENT ON COLUMN window_segments.end_ns IS 'as in segments';
COMMENT ON COLUMN window_segments.name_id IS 'as in segments';
COMMENT ON COLUMN window_segments.on_global_tid IS 'as in segments';
COMMENT ON COLUMN window_segments.range_id IS 'as in segments';
COMMENT ON COLUMN window_segments.lacks_run_ahead IS 'as in segments';
