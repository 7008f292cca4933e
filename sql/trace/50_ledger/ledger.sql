-- The ledger: one row for each GPU and cause. With compute_ns in devices, the lost time of a GPU adds up to the window, to the
-- nanosecond.
-- reads: loss_totals
CREATE TABLE ledger AS
SELECT
    gpu,
    cause,
    CAST(sum(lost_ns) AS BIGINT) AS lost_ns,
    CAST(sum(segments) AS BIGINT) AS segments,
    CAST(coalesce(sum(CASE WHEN basis = 'named' THEN lost_ns END), 0) AS BIGINT) AS named_ns,
    CAST(coalesce(sum(CASE WHEN basis = 'inferred' THEN lost_ns END), 0) AS BIGINT) AS inferred_ns
FROM loss_totals
GROUP BY gpu, cause
ORDER BY gpu, lost_ns DESC, cause;

COMMENT ON TABLE ledger IS 'lost time by GPU and cause';
COMMENT ON COLUMN ledger.lost_ns IS 'time of the window in which the GPU did not compute because of it, ns';
COMMENT ON COLUMN ledger.named_ns IS 'the part that was known by the names of NVTX ranges, ns';
COMMENT ON COLUMN ledger.inferred_ns IS 'the part that was inferred, ns';
