-- In which OS calls and lock waits was the thread that kept the GPU waiting?
-- The trace must hold OS calls or waits for the GIL. io is work on files, lock and wait are waiting for other threads, sleep is
-- the program's own.
SELECT
    s.state,
    s."call",
    s.thread,
    s.cause,
    count(DISTINCT s.gap_id) AS gaps,
    round(sum(s.length_ns) / 1e6, 3) AS lost_ms,
    round(max(s.length_ns) / 1e6, 3) AS longest_ms
FROM segments AS s
WHERE s.gap_id IS NOT NULL AND s.state IN ('io', 'lock', 'wait', 'sleep')
GROUP BY ALL
ORDER BY lost_ms DESC, s."call", s.thread, s.cause;
