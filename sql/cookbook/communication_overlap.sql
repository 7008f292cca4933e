-- How much of each collective's time is hidden behind compute?
-- exposed_ms is time in which a GPU only communicates or waits for other ranks. waiting_ms is how long it waited for late ranks.
WITH exposed AS (
    SELECT activity_id, sum(length_ns) AS exposed_ns FROM exposed_time WHERE kind = 'communication' GROUP BY activity_id
)

SELECT
    c.gpu,
    c.name,
    CASE
        WHEN c.length_ns < 100000 THEN 'below 100 us'
        WHEN c.length_ns < 1000000 THEN '100 us to 1 ms'
        ELSE '1 ms and longer'
    END AS length,
    count(*) AS times,
    round(sum(c.length_ns) / 1e6, 3) AS running_ms,
    round(sum(c.waiting_ns) / 1e6, 3) AS waiting_ms,
    round(coalesce(sum(e.exposed_ns), 0) / 1e6, 3) AS exposed_ms,
    round(100 - 100 * coalesce(sum(e.exposed_ns), 0) / sum(c.length_ns), 1) AS percent_hidden
FROM collectives AS c
LEFT JOIN exposed AS e ON e.activity_id = c.activity_id
GROUP BY ALL
ORDER BY exposed_ms DESC, c.gpu, c.name, length;
