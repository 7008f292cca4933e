-- What do the threads that launch GPU work spend their time on?
-- run is code and launches. Time in sync that is not in the ledger costs nothing: the CPU is ahead of the GPU.
SELECT
    s.process,
    s.thread,
    s.state,
    s.name AS "call",
    count(*) AS times,
    round(sum(least(s.end_ns, w.end_ns) - greatest(s.start_ns, w.start_ns)) / 1e6, 3) AS total_ms,
    round(
        100 * sum(least(s.end_ns, w.end_ns) - greatest(s.start_ns, w.start_ns)) / any_value(w.end_ns - w.start_ns), 2
    ) AS percent_of_window
FROM thread_states AS s
INNER JOIN "window" AS w ON s.start_ns < w.end_ns AND s.end_ns > w.start_ns
GROUP BY s.process, s.thread, s.state, s.name
ORDER BY total_ms DESC, s.thread, s.state, "call"
LIMIT 30;
