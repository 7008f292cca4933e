-- Which copies use pageable memory, and how long do their calls hold the CPU?
-- Such a copy is never asynchronous, whatever non_blocking says: pin the memory. gigabytes_per_s shows how slow it is.
SELECT
    a.nvtx,
    c.direction,
    c.bytes,
    count(*) AS copies,
    round(sum(c.length_ns) / 1e6, 3) AS copying_ms,
    round(sum(a.launch_end_ns - a.launch_start_ns) / 1e6, 3) AS calls_ms,
    round(sum(c.bytes) / sum(c.length_ns), 3) AS gigabytes_per_s
FROM copies AS c
INNER JOIN activities AS a ON a.activity_id = c.activity_id
SEMI JOIN window_regimes AS w ON c.start_ns >= w.start_ns AND c.start_ns < w.end_ns
WHERE c.pageable
GROUP BY a.nvtx, c.direction, c.bytes
ORDER BY copying_ms DESC, a.nvtx, c.direction, c.bytes
LIMIT 20;
