-- What is the GPU idle for between two steps?
-- The gap at each border of two steps: logging, or the next batch. Steps that were found without NVTX may begin anywhere in the
-- loop: then name the NVTX range that is a step (--step), or look at longest_gaps.
WITH between_steps AS (
    SELECT b.step, g.gap_id
    FROM (SELECT t.step, d.gpu, t.end_ns AS at_ns FROM window_steps AS t CROSS JOIN devices AS d) AS b
    ASOF INNER JOIN gaps AS g ON g.gpu = b.gpu AND b.at_ns > g.start_ns
    WHERE b.at_ns <= g.end_ns
)

SELECT
    s.gpu,
    s.cause,
    coalesce(s."call", s.state) AS did,
    s.nvtx,
    count(DISTINCT b.step) AS borders,
    round(sum(s.length_ns) / 1e6, 3) AS lost_ms,
    round(sum(s.length_ns) / 1e3 / count(DISTINCT b.step), 1) AS us_per_border
FROM between_steps AS b
INNER JOIN segments AS s ON s.gap_id = b.gap_id
GROUP BY ALL
ORDER BY lost_ms DESC, s.gpu, s.cause, did, s.nvtx;
