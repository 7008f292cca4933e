-- One row for each GPU and metric: its mean in the window, idle time included, and while the GPU computes: the clock of an idle
-- GPU falls.
-- reads: activities, gpu_metrics, window_regimes
CREATE TABLE window_metrics AS
WITH ran AS (
    SELECT gpu, start_ns, max(end_ns) OVER (PARTITION BY gpu ORDER BY start_ns) AS until_ns
    FROM activities
    WHERE kind = 'compute' AND EXISTS (FROM gpu_metrics)
)

SELECT
    m.gpu,
    m.metric,
    m.unit,
    avg(m."value") AS mean,
    avg(CASE WHEN m.at_ns <= a.until_ns THEN m."value" END) AS computing_mean,
    max(m."value") AS highest,
    count(*) AS samples
FROM gpu_metrics AS m
ASOF INNER JOIN window_regimes AS r ON m.at_ns > r.start_ns
ASOF LEFT JOIN ran AS a
    ON a.gpu = m.gpu AND m.at_ns >= a.start_ns
WHERE m.at_ns <= r.end_ns
GROUP BY m.gpu, m.metric, m.unit
ORDER BY m.gpu, m.metric;

COMMENT ON TABLE window_metrics IS 'means of the GPU metrics in the window; empty where they were not recorded';
COMMENT ON COLUMN window_metrics.mean IS 'mean of the samples in the window';
COMMENT ON COLUMN window_metrics.computing_mean IS 'mean of those that a computing kernel holds; NULL where there are none';
COMMENT ON COLUMN window_metrics.highest IS 'highest of them';
COMMENT ON COLUMN window_metrics.samples IS 'number of them';
