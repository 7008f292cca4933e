CREATE VIEW top_kernels AS
SELECT
    CASE WHEN o.name_id IS NULL THEN 'CUDA graph' ELSE coalesce(t.text, '?') END AS name,
    count(*) AS times,
    CAST(sum(o.end_ns - o.start_ns) AS BIGINT) AS gpu_ns,
    avg(o.end_ns - o.start_ns) AS mean_ns
FROM window_ops AS o
LEFT JOIN strings AS t ON t.string_id = o.name_id
WHERE o.kind <> 'copy'
GROUP BY o.name_id, t.text
ORDER BY gpu_ns DESC, name;

COMMENT ON VIEW top_kernels IS 'kernels and whole graphs of the window by the time they took';
COMMENT ON COLUMN top_kernels.name IS 'short name';
COMMENT ON COLUMN top_kernels.times IS 'number of runs';
COMMENT ON COLUMN top_kernels.gpu_ns IS 'time of all runs, ns';
COMMENT ON COLUMN top_kernels.mean_ns IS 'mean time of a run, ns';
