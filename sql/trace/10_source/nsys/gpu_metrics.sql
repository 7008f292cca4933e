-- One row for each sample of a GPU metric that is a share or a clock, as `nsys profile --gpu-metrics-devices=all` records them. A
-- value is the mean since the sample before it. The low byte of a type is the GPU; clocks are recorded in Hz.
-- reads: export.GPU_METRICS, export.TARGET_INFO_GPU_METRICS
CREATE VIEW gpu_metrics AS
WITH named AS (
    SELECT typeId, metricId, min(metricName) AS name FROM export.TARGET_INFO_GPU_METRICS GROUP BY typeId, metricId
)

SELECT
    CAST(m.typeId & 255 AS INTEGER) AS gpu,
    m."timestamp" AS at_ns,
    regexp_extract(n.name, '^(.*) \[', 1) AS metric,
    CASE WHEN ends_with(n.name, '[MHz]') THEN 'MHz' ELSE '%' END AS unit,
    CASE WHEN ends_with(n.name, '[MHz]') THEN m.value / 1e6 ELSE CAST(m.value AS DOUBLE) END AS "value"
FROM export.GPU_METRICS AS m
INNER JOIN named AS n ON n.typeId = m.typeId AND n.metricId = m.metricId
WHERE regexp_matches(n.name, '\[(Throughput %|MHz)\]$') AND m."timestamp" IS NOT NULL AND m.value IS NOT NULL;

COMMENT ON VIEW gpu_metrics IS 'samples of GPU metrics; empty where they were not recorded';
COMMENT ON COLUMN gpu_metrics.at_ns IS 'end of the time that the sample is of, ns since the session began';
COMMENT ON COLUMN gpu_metrics.metric IS 'name that Nsight Systems gives it, such as SMs Active';
COMMENT ON COLUMN gpu_metrics.unit IS '% or MHz';
COMMENT ON COLUMN gpu_metrics."value" IS 'mean since the sample before it, in this unit';
