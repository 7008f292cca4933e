-- Segments, added up by all that the ledger and the evidence ask for, so that they are read once.
-- reads: lost_segments
CREATE TABLE loss_totals AS
SELECT
    gpu, pid, cause, basis, range_id,
    count(*) AS segments,
    CAST(sum(end_ns - start_ns) AS BIGINT) AS lost_ns
FROM lost_segments
GROUP BY ALL;

COMMENT ON TABLE loss_totals IS 'segments, added up by GPU, process, cause, basis and NVTX range';
COMMENT ON COLUMN loss_totals.gpu IS 'physical GPU';
COMMENT ON COLUMN loss_totals.pid IS 'as in lost_segments';
COMMENT ON COLUMN loss_totals.cause IS 'as in lost_segments';
COMMENT ON COLUMN loss_totals.basis IS 'as in lost_segments';
COMMENT ON COLUMN loss_totals.range_id IS 'innermost NVTX range, in nvtx_events';
COMMENT ON COLUMN loss_totals.segments IS 'number of segments';
COMMENT ON COLUMN loss_totals.lost_ns IS 'their time, ns';
