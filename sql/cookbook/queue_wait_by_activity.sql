-- How long does each activity wait in its queue?
-- A wait of milliseconds says that the CPU is ahead, as it should be; one of few microseconds, that the GPU starves for launches.
SELECT
    o.name,
    o.kind,
    count(*) AS times,
    round(quantile_cont(o.queued_ns, 0.1) / 1e3, 1) AS fastest_tenth_us,
    round(median(o.queued_ns) / 1e3, 1) AS median_us,
    round(max(o.queued_ns) / 1e3, 1) AS longest_us,
    round(avg(CASE WHEN o.queued_ns < 10000 THEN 100.0 ELSE 0.0 END), 1) AS percent_below_10_us
FROM activities AS o
INNER JOIN "window" AS w ON o.start_ns >= w.start_ns AND o.start_ns < w.end_ns
WHERE o.queued_ns IS NOT NULL
GROUP BY o.name, o.kind
ORDER BY times DESC, o.name
LIMIT 30;
