-- On which Python line was the thread that kept the GPU waiting?
-- Needs Python samples. After a synchronize call these are the lines that could not run ahead: look at syncs_by_python_line too.
SELECT
    coalesce(format('{}:{}', l.file, l.line), 'no sample') AS line,
    l.function,
    s.cause,
    s.thread,
    count(DISTINCT s.segment_id) AS segments,
    round(sum(l.length_ns) / 1e6, 3) AS lost_ms,
    round(100 * sum(l.length_ns) / sum(sum(l.length_ns)) OVER (), 1) AS percent_of_lost
FROM segment_lines AS l
INNER JOIN segments AS s ON s.segment_id = l.segment_id
GROUP BY ALL
ORDER BY lost_ms DESC, line, s.cause, s.thread
LIMIT 20;
