-- Which Python lines make the synchronize calls and blocking copies that cost?
-- Needs Python samples. The line to change: each sample that fell into such a call counts for the line that it was on.
SELECT
    format('{}:{}', p.file, p.line) AS line,
    p.function,
    c.name AS "call",
    c.waits_for,
    count(*) AS samples,
    count(DISTINCT c.start_ns) AS calls_seen,
    round(100 * count(*) / sum(count(*)) OVER (), 1) AS percent_of_samples,
    round(avg(c.lost_ns) / 1e3, 1) AS mean_lost_us
FROM python_samples AS p
ASOF INNER JOIN blocking_calls AS c ON c.global_tid = p.global_tid AND p.at_ns >= c.start_ns
WHERE p.at_ns < c.end_ns AND c.lost_ns >= 0.01 * c.length_ns
GROUP BY p.file, p.line, p.function, c.name, c.waits_for
ORDER BY samples DESC, line, "call"
LIMIT 20;
