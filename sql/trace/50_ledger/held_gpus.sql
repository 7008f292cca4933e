-- One row for each GPU that contexts of other programs held in the window, by recorded context switches. A context is of another
-- program if less than a hundredth of the GPU's activities in the trace start in its turns. Not none: of two processes on an H100
-- that took turns of 2 ms, 27 of 19,046 activities of one seemed to start in turns of the other.
-- reads: activities, gpu_turns, window_pieces
CREATE VIEW held_gpus AS
WITH starts AS (
    SELECT gpu, start_ns, count(*) OVER (PARTITION BY gpu) AS all_starts FROM activities WHERE EXISTS (FROM gpu_turns)
),

own AS (
    SELECT t.context
    FROM starts AS s
    ASOF INNER JOIN gpu_turns AS t ON t.gpu = s.gpu AND s.start_ns >= t.start_ns
    WHERE s.start_ns < t.end_ns
    GROUP BY t.context
    HAVING count(*) >= 0.01 * any_value(s.all_starts)
),

others AS (
    SELECT t.gpu, least(t.end_ns, w.end_ns) - greatest(t.start_ns, w.start_ns) AS held_ns
    FROM gpu_turns AS t
    INNER JOIN window_pieces AS w ON t.start_ns < w.end_ns AND t.end_ns > w.start_ns
    WHERE t.context NOT IN (FROM own)
)

SELECT
    gpu,
    CAST(sum(held_ns) AS BIGINT) AS held_ns,
    CAST(median(held_ns) AS BIGINT) AS turn_ns,
    sum(held_ns) / (SELECT sum(end_ns - start_ns) FROM window_pieces) AS share
FROM others
-- where nothing of the trace starts in any turn, the turns are not of its GPU
WHERE EXISTS (FROM own)
GROUP BY gpu;

COMMENT ON VIEW held_gpus IS 'GPUs that other programs held in the window, as context switches tell';
COMMENT ON COLUMN held_gpus.gpu IS 'physical GPU';
COMMENT ON COLUMN held_gpus.held_ns IS 'time for which they held it, ns';
COMMENT ON COLUMN held_gpus.turn_ns IS 'for how long at a time (median), ns';
COMMENT ON COLUMN held_gpus.share IS 'share of the window for which they held it, 0 to 1';
