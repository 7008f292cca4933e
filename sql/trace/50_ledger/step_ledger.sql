-- The ledger of each step. On each GPU, compute and the lost time of all causes add up to the step, to the nanosecond. A step
-- goes from its first activity to that of the next one, as in `steps`.
-- reads: intersect_tiles, lost_segments, window_steps
CREATE TABLE step_ledger AS
WITH lost AS (
    SELECT 0 AS track, gpu, cause, start_ns, end_ns FROM lost_segments
),

steps_of_window AS (
    SELECT step AS id, 0 AS track, start_ns, end_ns FROM window_steps
)

SELECT tile_id AS step, gpu, cause, CAST(sum(end_ns - start_ns) AS BIGINT) AS lost_ns
FROM intersect_tiles('lost', 'steps_of_window')
WHERE tile_id IS NOT NULL
GROUP BY ALL
ORDER BY step, gpu, lost_ns DESC, cause;

COMMENT ON TABLE step_ledger IS 'lost time of each step of the window, by GPU and cause';
COMMENT ON COLUMN step_ledger.step IS 'number, as in steps';
COMMENT ON COLUMN step_ledger.gpu IS 'physical GPU';
COMMENT ON COLUMN step_ledger.cause IS 'id of the cause';
COMMENT ON COLUMN step_ledger.lost_ns IS 'time of the step lost because of it, ns';
