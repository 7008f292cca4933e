-- One row: how many samples of GPU metrics say that a GPU was not active while a kernel ran. In sound traces it is, for nearly
-- all of that time; inside of graphs that are traced as a whole, for most of it.
-- reads: window_metrics
CREATE TABLE contradictory_metrics AS
SELECT
    'GPU metrics that say that the GPU ran nothing while it computed' AS kind,
    sum(CASE WHEN computing_mean < 20 THEN samples END) AS "rows",
    sum(samples) AS all_rows
FROM window_metrics
WHERE metric = 'GR Active';

COMMENT ON TABLE contradictory_metrics IS 'samples of GPU metrics that contradict the kernels';
COMMENT ON COLUMN contradictory_metrics.kind IS 'the rows, in words';
