-- Lost time added up by everything that the ledger and the evidence ask of it, so that segments are read once.
-- reads: lost_segments
CREATE TABLE loss_totals AS
SELECT
    gpu, pid, cause, basis, range_id, step,
    count(*) AS segments,
    CAST(sum(end_ns - start_ns) AS BIGINT) AS lost_ns
FROM lost_segments
GROUP BY ALL;

COMMENT ON TABLE loss_totals IS 'segments added up by what the ledger and the evidence ask';
COMMENT ON COLUMN loss_totals.gpu IS 'physical GPU';
COMMENT ON COLUMN loss_totals.pid IS 'as in lost_segments';
COMMENT ON COLUMN loss_totals.cause IS 'as in lost_segments';
COMMENT ON COLUMN loss_totals.basis IS 'as in lost_segments';
COMMENT ON COLUMN loss_totals.range_id IS 'innermost NVTX range, in nvtx_events';
COMMENT ON COLUMN loss_totals.step IS 'the step in which they begin, in window_steps';
COMMENT ON COLUMN loss_totals.segments IS 'how many';
COMMENT ON COLUMN loss_totals.lost_ns IS 'their time, ns';
