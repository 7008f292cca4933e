-- One row for each GPU that other programs held in the window.
-- reads: other_turns, window_pieces
CREATE VIEW held_gpus AS
WITH turns AS (
    SELECT t.gpu, least(t.end_ns, w.end_ns) - greatest(t.start_ns, w.start_ns) AS held_ns
    FROM other_turns AS t
    INNER JOIN window_pieces AS w ON t.start_ns < w.end_ns AND t.end_ns > w.start_ns
)

SELECT
    gpu,
    CAST(sum(held_ns) AS BIGINT) AS held_ns,
    CAST(median(held_ns) AS BIGINT) AS turn_ns,
    sum(held_ns) / (SELECT sum(end_ns - start_ns) FROM window_pieces) AS share
FROM turns
GROUP BY gpu
ORDER BY gpu;

COMMENT ON VIEW held_gpus IS 'GPUs that other programs held in the window, as context switches tell';
COMMENT ON COLUMN held_gpus.gpu IS 'physical GPU';
COMMENT ON COLUMN held_gpus.held_ns IS 'time for which they held it, ns';
COMMENT ON COLUMN held_gpus.turn_ns IS 'for how long at a time (median), ns';
COMMENT ON COLUMN held_gpus.share IS 'share of the window for which they held it, 0 to 1';
