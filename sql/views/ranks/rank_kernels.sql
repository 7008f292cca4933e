-- The computing kernels of each rank. They tell a rank that computes more from one that computes slower.
-- reads: activity_name, rank_gpus, strings, window_activities
CREATE VIEW rank_kernels AS
SELECT
    a.gpu,
    activity_name(t.text, NULL) AS name,
    count(*) AS times,
    CAST(sum(a.end_ns - a.start_ns) AS BIGINT) AS gpu_ns
FROM window_activities AS a
LEFT JOIN strings AS t ON t.string_id = a.name_id
WHERE a.kind = 'compute' AND a.gpu IN (SELECT gpu FROM rank_gpus)
GROUP BY a.gpu, t.text;

COMMENT ON VIEW rank_kernels IS 'computing kernels of each rank in the window';
COMMENT ON COLUMN rank_kernels.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_kernels.name IS 'short name';
COMMENT ON COLUMN rank_kernels.times IS 'number of runs';
COMMENT ON COLUMN rank_kernels.gpu_ns IS 'time of all runs, ns';
