-- How long does each activity wait in its queue?
-- A wait of milliseconds means that the CPU is ahead, as it should be. With a few microseconds, the GPU waits for launches.
SELECT
    a.name,
    a.kind,
    count(*) AS times,
    round(quantile_cont(a.queued_ns, 0.1) / 1e3, 1) AS fastest_tenth_us,
    round(median(a.queued_ns) / 1e3, 1) AS median_us,
    round(max(a.queued_ns) / 1e3, 1) AS longest_us,
    round(avg(CASE WHEN a.queued_ns < 10000 THEN 100.0 ELSE 0.0 END), 1) AS percent_below_10_us
FROM activities AS a
SEMI JOIN window_regimes AS w ON a.start_ns >= w.start_ns AND a.start_ns < w.end_ns
WHERE a.queued_ns IS NOT NULL
GROUP BY a.name, a.kind
ORDER BY times DESC, a.name
LIMIT 30;
