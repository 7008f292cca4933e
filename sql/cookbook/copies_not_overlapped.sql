-- Which copies ran while nothing computed, by direction and size?
-- exposed_ms is lost time. Pack many small copies into one, pin pageable memory, give large pinned copies a stream of their own.
WITH exposed AS (
    SELECT activity_id, sum(length_ns) AS exposed_ns FROM exposed_time WHERE kind = 'copy' GROUP BY activity_id
)

SELECT
    c.gpu,
    c.direction,
    CASE
        WHEN c.bytes < 65536 THEN 'below 64 KiB'
        WHEN c.bytes < 1048576 THEN '64 KiB to 1 MiB'
        WHEN c.bytes < 16777216 THEN '1 to 16 MiB'
        ELSE '16 MiB and more'
    END AS size,
    c.pageable,
    count(*) AS copies,
    count(e.activity_id) AS copies_exposed,
    round(sum(c.bytes) / 1e6, 3) AS megabytes,
    round(sum(c.length_ns) / 1e6, 3) AS copying_ms,
    round(coalesce(sum(e.exposed_ns), 0) / 1e6, 3) AS exposed_ms,
    round(sum(c.bytes) / sum(c.length_ns), 3) AS gigabytes_per_s
FROM copies AS c
SEMI JOIN window_regimes AS w ON c.start_ns < w.end_ns AND c.end_ns > w.start_ns
LEFT JOIN exposed AS e ON e.activity_id = c.activity_id
WHERE c.direction <> 'Memset'
GROUP BY ALL
HAVING count(e.activity_id) > 0
ORDER BY exposed_ms DESC, c.gpu, c.direction, size;
