-- One row for each NVTX range that a library names after what it does for a cause, on a thread that is not the main one of its
-- process, as where XLA compiles on several threads.
-- reads: launching_threads, name_patterns, nvtx_ranges, patterns_of_name, segments
CREATE TABLE library_ranges AS
WITH others AS (
    SELECT n.global_tid, n.start_ns, n.end_ns, n.name
    FROM nvtx_ranges AS n
    SEMI JOIN (
        SELECT s.on_global_tid
        FROM segments AS s
        ANTI JOIN (FROM launching_threads WHERE main) AS m ON m.global_tid = s.on_global_tid
    ) AS l ON l.on_global_tid = n.global_tid
),

spoken AS (
    SELECT DISTINCT e.name, p.cause
    FROM (SELECT name, unnest(patterns_of_name(name)) AS pattern FROM (SELECT DISTINCT name FROM others)) AS e
    INNER JOIN name_patterns AS p ON p.pattern = e.pattern AND p.of_library
)

SELECT row_number() OVER () AS id, o.global_tid AS track, o.start_ns, o.end_ns, s.cause
FROM others AS o
INNER JOIN spoken AS s ON s.name = o.name;

COMMENT ON TABLE library_ranges IS 'NVTX ranges that a library names after what it does for a cause, on other threads than the main one';
COMMENT ON COLUMN library_ranges.track IS 'thread that opened it, in threads';
