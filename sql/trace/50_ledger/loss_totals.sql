-- Segments, added up by all that the ledger and the evidence ask for, so that they are read once.
-- reads: range_paths, window_segments
CREATE TABLE loss_totals AS
SELECT
    s.gpu, s.pid, s.cause, s.basis, p.path_id,
    count(*) AS segments,
    CAST(sum(s.end_ns - s.start_ns) AS BIGINT) AS lost_ns
FROM window_segments AS s
LEFT JOIN range_paths AS p ON p.range_id = s.range_id
GROUP BY ALL;

COMMENT ON TABLE loss_totals IS 'segments, added up by GPU, process, cause, basis and NVTX range';
COMMENT ON COLUMN loss_totals.path_id IS 'path of the NVTX range, in paths; NULL outside of all';
COMMENT ON COLUMN loss_totals.lost_ns IS 'their time, ns';
