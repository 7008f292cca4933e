-- One row for each segment and cause for which most of its samples of a kind speak.
-- reads: segment_matches
CREATE TABLE matched_segments AS
SELECT DISTINCT segment_id, cause
FROM segment_matches
WHERE cause IS NOT NULL AND 2 * samples > all_samples;

COMMENT ON TABLE matched_segments IS 'segments of which samples tell the cause';
