-- The NVTX paths in which the time of each cause was lost: the two that cost most.
-- reads: loss_totals, paths
CREATE TABLE evidence_ranges AS
SELECT
    s.cause,
    array_to_string(p.called, ' > ') AS path,
    CAST(sum(s.segments) AS BIGINT) AS times,
    CAST(sum(s.lost_ns) AS BIGINT) AS lost_ns
FROM loss_totals AS s
INNER JOIN paths AS p ON p.path_id = s.path_id
GROUP BY s.cause, p.called
QUALIFY row_number() OVER (PARTITION BY s.cause ORDER BY sum(s.lost_ns) DESC, p.called) <= 2
ORDER BY s.cause, lost_ns DESC, path;

COMMENT ON TABLE evidence_ranges IS 'the NVTX paths in which the time of each cause was lost, the two that cost most';
COMMENT ON COLUMN evidence_ranges.path IS 'NVTX path, of names as in called_names';
COMMENT ON COLUMN evidence_ranges.times IS 'number of segments';
COMMENT ON COLUMN evidence_ranges.lost_ns IS 'time lost in them, ns';
