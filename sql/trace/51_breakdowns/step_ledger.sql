-- The ledger of each step. On each GPU, compute and the lost time of all causes add up to the step, to the nanosecond. A step
-- goes from its first activity to that of the next one, as in `steps`.
-- reads: intersect_tiles, lost_time, step_tiles, window_segments
CREATE TABLE step_ledger AS
SELECT CAST(p.tile_id AS INTEGER) AS step, s.gpu, s.cause, CAST(sum(p.end_ns - p.start_ns) AS BIGINT) AS lost_ns
FROM intersect_tiles('lost_time', 'step_tiles') AS p
INNER JOIN window_segments AS s ON s.segment_id = p.id
WHERE p.tile_id IS NOT NULL
GROUP BY ALL
ORDER BY step, gpu, lost_ns DESC, cause;

COMMENT ON TABLE step_ledger IS 'lost time of each step of the window, by GPU and cause';
COMMENT ON COLUMN step_ledger.step IS 'number, as in steps';
COMMENT ON COLUMN step_ledger.lost_ns IS 'time of the step lost because of it, ns';
