-- The lines of the user's code that each cause was met on. A sample counts for the slice it falls into, on the
-- thread whose state the slice has; for the whole of a blocking call, since the line that waits is the one to change;
-- and for a wait for the GIL on the thread that holds it.
CREATE VIEW source_lines AS
WITH blamed AS (
    SELECT cause, on_global_tid AS global_tid, start_ns, end_ns FROM settled WHERE cause <> 'lock_contention'
),

in_slices AS (
    SELECT b.cause, p.file, p.line, p.function
    FROM python_samples AS p
    ASOF INNER JOIN blamed AS b ON b.global_tid = p.global_tid AND p.at_ns >= b.start_ns
    WHERE p.at_ns < b.end_ns
),

in_calls AS (
    SELECT 'host_sync' AS cause, p.file, p.line, p.function
    FROM python_samples AS p
    ASOF INNER JOIN blocking_calls AS c ON c.global_tid = p.global_tid AND p.at_ns >= c.start_ns
    INNER JOIN shadows AS h ON h.blocked_since_ns = c.start_ns AND h.spans
    WHERE p.at_ns < c.end_ns AND c.waits_for IN ('sync', 'read_back')
),

holders AS (
    SELECT 'lock_contention' AS cause, p.file, p.line, p.function
    FROM (
        SELECT p.*, pid_of(p.global_tid) AS pid
        FROM python_samples AS p
        ASOF LEFT JOIN (SELECT * FROM gil_ranges WHERE NOT waiting) AS h ON h.global_tid = p.global_tid AND p.at_ns >= h.start_ns
        WHERE h.end_ns > p.at_ns OR NOT EXISTS (FROM gil_ranges)
    ) AS p
    ASOF INNER JOIN (SELECT * FROM settled WHERE cause = 'lock_contention') AS s ON s.pid = p.pid AND p.at_ns >= s.start_ns
    WHERE p.at_ns < s.end_ns AND p.global_tid <> s.on_global_tid
)

SELECT cause, file, line, any_value(function) AS function, count(*) AS samples
FROM (FROM in_slices UNION ALL FROM in_calls UNION ALL FROM holders)
GROUP BY cause, file, line
QUALIFY row_number() OVER (PARTITION BY cause ORDER BY count(*) DESC, file, line) <= 2
ORDER BY cause, samples DESC;

COMMENT ON VIEW source_lines IS 'lines of the user''s own code on which each cause was sampled, the two with the most samples';
COMMENT ON COLUMN source_lines.cause IS 'id of the cause';
COMMENT ON COLUMN source_lines.file IS 'path of the file as captured';
COMMENT ON COLUMN source_lines.line IS 'line';
COMMENT ON COLUMN source_lines.function IS 'function';
COMMENT ON COLUMN source_lines.samples IS 'number of samples';
