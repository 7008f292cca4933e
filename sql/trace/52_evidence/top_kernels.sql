-- One row for each kernel of the window, and one for all whole graphs, by the time they took.
-- reads: activity_name, activity_totals, strings
CREATE TABLE top_kernels AS
WITH named AS (
    SELECT
        name_id, kind, CAST(sum(activities) AS BIGINT) AS times, sum(gpu_ns) AS gpu_ns, sum(gpu_ns) / sum(activities) AS mean_ns
    FROM activity_totals
    WHERE kind <> 'copy'
    GROUP BY name_id, kind
)

SELECT
    CASE WHEN n.name_id IS NULL THEN activity_name(NULL, NULL) ELSE coalesce(t.text, '?') END AS name,
    n.kind,
    n.times,
    CAST(n.gpu_ns AS BIGINT) AS gpu_ns,
    n.mean_ns
FROM named AS n
LEFT JOIN strings AS t ON t.string_id = n.name_id
ORDER BY gpu_ns DESC, name, kind;

COMMENT ON TABLE top_kernels IS 'kernels and whole graphs of the window by the time they took';
COMMENT ON COLUMN top_kernels.name IS 'short name';
COMMENT ON COLUMN top_kernels.kind IS 'compute or communication';
COMMENT ON COLUMN top_kernels.times IS 'number of runs';
COMMENT ON COLUMN top_kernels.gpu_ns IS 'time of all runs, ns';
COMMENT ON COLUMN top_kernels.mean_ns IS 'mean time of a run, ns';
