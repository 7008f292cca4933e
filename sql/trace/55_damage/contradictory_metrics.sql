-- One row: how many samples of GPU metrics say that a GPU was active for much less of the window than its kernels do. In sound
-- traces it is as active as it computes, or more, if other programs use it.
-- reads: devices, window_metrics
CREATE TABLE contradictory_metrics AS
SELECT
    'GPU metrics that say that the GPU ran nothing while it computed' AS kind,
    sum(CASE WHEN d.compute_ns > (m.mean / 100 + 0.2) * d.window_ns THEN m.samples END) AS "rows",
    sum(m.samples) AS all_rows
FROM window_metrics AS m
INNER JOIN devices AS d ON d.gpu = m.gpu
WHERE m.metric = 'GR Active';

COMMENT ON TABLE contradictory_metrics IS 'samples of GPU metrics that contradict the kernels';
COMMENT ON COLUMN contradictory_metrics.kind IS 'the rows, in words';
