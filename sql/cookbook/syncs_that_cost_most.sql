-- Which synchronize calls and blocking copies cost most?
-- lost_ms is what the GPU lost in them, and after them because nothing was queued. The rest of waited_ms costs nothing.
SELECT
    c.name AS "call",
    c.waits_for,
    c.thread,
    c.nvtx,
    count(*) AS calls,
    count(*) FILTER (c.lost_ns > 0) AS calls_that_cost,
    round(sum(c.length_ns) / 1e6, 3) AS waited_ms,
    round(sum(c.lost_ns) / 1e6, 3) AS lost_ms,
    round(100 * sum(c.lost_ns) / any_value(w.length_ns), 2) AS percent_of_window
FROM blocking_calls AS c
CROSS JOIN "window" AS w
SEMI JOIN window_regimes AS r ON c.start_ns < r.end_ns AND c.end_ns > r.start_ns
GROUP BY ALL
HAVING sum(c.lost_ns) > 0
ORDER BY lost_ms DESC, "call", c.waits_for, c.nvtx, c.thread;
