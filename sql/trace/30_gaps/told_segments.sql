-- One row for each segment and cause for which most of its samples of a kind speak.
-- reads: sampled_segments
CREATE VIEW told_segments AS
SELECT DISTINCT segment_id, gap_id, cause
FROM sampled_segments
WHERE cause IS NOT NULL AND 2 * samples > all_samples;

COMMENT ON VIEW told_segments IS 'segments of which samples tell the cause';
COMMENT ON COLUMN told_segments.segment_id IS 'as in segments';
COMMENT ON COLUMN told_segments.gap_id IS 'as in segments';
COMMENT ON COLUMN told_segments.cause IS 'id of the cause';
