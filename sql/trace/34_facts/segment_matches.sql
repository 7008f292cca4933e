-- One row for each long segment, kind of sample and cause: how many of the samples in it speak for the cause.
-- reads: long_segment_samples
CREATE TABLE segment_matches AS
SELECT
    segment_id,
    kind,
    cause,
    count(*) AS samples,
    CAST(sum(count(*)) OVER (PARTITION BY segment_id, kind) AS BIGINT) AS all_samples
FROM long_segment_samples
GROUP BY segment_id, kind, cause;

COMMENT ON TABLE segment_matches IS 'the samples in long segments, and in parts of long code, counted by the cause that they speak for';
COMMENT ON COLUMN segment_matches.cause IS 'id of the cause; NULL for samples that speak for none';
COMMENT ON COLUMN segment_matches.samples IS 'number of samples that speak for it';
COMMENT ON COLUMN segment_matches.all_samples IS 'number of samples of this kind in the segment';
