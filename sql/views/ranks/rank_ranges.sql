-- The NVTX paths in which each rank loses the time of each cause, as evidence_ranges has them for all GPUs: the two that cost
-- most.
-- reads: loss_totals, paths, rank_gpus
CREATE VIEW rank_ranges AS
SELECT
    s.gpu,
    s.cause,
    array_to_string(p.called, ' > ') AS path,
    CAST(sum(s.lost_ns) AS BIGINT) AS lost_ns
FROM loss_totals AS s
INNER JOIN paths AS p ON p.path_id = s.path_id
WHERE s.gpu IN (SELECT gpu FROM rank_gpus)
GROUP BY s.gpu, s.cause, p.called
QUALIFY row_number() OVER (PARTITION BY s.gpu, s.cause ORDER BY sum(s.lost_ns) DESC, p.called) <= 2
ORDER BY s.gpu, s.cause, lost_ns DESC, path;

COMMENT ON VIEW rank_ranges IS 'the NVTX paths in which each rank loses the time of each cause, the two that cost most';
COMMENT ON COLUMN rank_ranges.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_ranges.path IS 'NVTX path, of names as in called_names';
COMMENT ON COLUMN rank_ranges.lost_ns IS 'time lost in them, ns';
