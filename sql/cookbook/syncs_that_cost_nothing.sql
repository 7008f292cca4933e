-- Which synchronize calls and blocking copies cost nothing?
-- The GPU had work until they returned: they lost less than a hundredth of what they waited, and removing them wins nothing.
SELECT
    c.name AS "call",
    c.waits_for,
    c.thread,
    c.nvtx,
    count(*) AS calls,
    round(sum(c.length_ns) / 1e6, 3) AS waited_ms,
    round(sum(c.lost_ns) / 1e6, 3) AS lost_ms
FROM blocking_calls AS c
SEMI JOIN window_regimes AS w ON c.start_ns < w.end_ns AND c.end_ns > w.start_ns
WHERE c.lost_ns < 0.01 * c.length_ns
GROUP BY ALL
ORDER BY waited_ms DESC, calls DESC, "call", c.waits_for, c.nvtx, c.thread;
