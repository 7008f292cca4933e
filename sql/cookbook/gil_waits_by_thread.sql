-- How long does each thread wait for the Python GIL, and how long does it hold it?
-- The trace must hold waits for the GIL. Others wait for the thread that holds it longest; lost_ms is what the GPU lost by that.
WITH lost AS (
    SELECT thread, sum(length_ns) AS lost_ns FROM segments WHERE cause = 'lock_contention' GROUP BY thread
)

SELECT
    g.process,
    g.thread,
    g.name AS doing,
    count(*) AS times,
    round(sum(g.length_ns) / 1e6, 3) AS total_ms,
    round(100 * sum(g.length_ns) / any_value(w.length_ns), 1) AS percent_of_window,
    round(max(g.length_ns) / 1e6, 3) AS longest_ms,
    round(any_value(CASE WHEN g.waiting THEN l.lost_ns END) / 1e6, 3) AS lost_ms
FROM gil_ranges AS g
CROSS JOIN "window" AS w
SEMI JOIN window_regimes AS r ON g.start_ns >= r.start_ns AND g.start_ns < r.end_ns
LEFT JOIN lost AS l ON l.thread = g.thread
GROUP BY g.process, g.thread, g.name
ORDER BY total_ms DESC, g.thread, doing;
