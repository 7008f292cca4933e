-- Which kernels of under 5 us take the most time together, gaps in front of them included?
-- Candidates for fusion or a CUDA graph: what they compute is little, and each costs a launch.
WITH small AS (
    SELECT k.name, k.activity_id, k.length_ns
    FROM kernels AS k
    SEMI JOIN window_regimes AS w ON k.start_ns >= w.start_ns AND k.start_ns < w.end_ns
    WHERE k.length_ns < 5000
)

SELECT
    s.name,
    count(*) AS times,
    round(avg(s.length_ns) / 1e3, 2) AS mean_us,
    round(sum(s.length_ns) / 1e6, 3) AS running_ms,
    round(coalesce(sum(g.length_ns), 0) / 1e6, 3) AS gaps_before_ms
FROM small AS s
LEFT JOIN gaps AS g ON g.gap_id = s.activity_id
GROUP BY s.name
ORDER BY sum(s.length_ns) + coalesce(sum(g.length_ns), 0) DESC, s.name
LIMIT 20;
