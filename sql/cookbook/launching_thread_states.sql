-- What do the threads that launch GPU work spend their time on?
-- run is code and launches. Time in sync that is not in the ledger costs nothing: the CPU is ahead of the GPU.
SELECT
    s.process,
    s.thread,
    s.state,
    s.name AS "call",
    count(*) AS times,
    round(sum(least(s.end_ns, r.end_ns) - greatest(s.start_ns, r.start_ns)) / 1e6, 3) AS total_ms,
    round(
        100 * sum(least(s.end_ns, r.end_ns) - greatest(s.start_ns, r.start_ns)) / any_value(w.length_ns), 2
    ) AS percent_of_window
FROM thread_states AS s
INNER JOIN window_regimes AS r ON s.start_ns < r.end_ns AND s.end_ns > r.start_ns
CROSS JOIN "window" AS w
WHERE s.global_tid IN (SELECT global_tid FROM launching_threads)
GROUP BY s.process, s.thread, s.state, s.name
ORDER BY total_ms DESC, s.thread, s.state, "call"
LIMIT 30;
