-- One row for each kind of event during which its thread, or its process, does something that it cannot do meanwhile.
-- reads: call_tolerance_ns, calls, gil_ranges, is_interval, os_calls, overheads, export.CUDA_HOST_CALLBACK
CREATE VIEW occupied_threads AS
WITH
-- a thread that does the profiler's work does not wait; 0.2 ms: of a shorter one the OS call may be what the profiler calls
long_overheads AS (
    SELECT coalesce(c.end_ns >= o.end_ns, false) AS in_a_wait
    FROM overheads AS o
    ASOF LEFT JOIN (
        SELECT global_tid, start_ns, end_ns FROM os_calls WHERE kind IN ('wait', 'sleep') AND end_ns - start_ns > 200000
    ) AS c
        ON c.global_tid = o.global_tid AND o.start_ns >= c.start_ns
    WHERE o.kind = 'profiler' AND o.end_ns - o.start_ns > 200000
),

-- In 240 sound traces no thread launches at such a time; CUDA forbids it to host functions.
occupied AS (
    SELECT 'waits for the GIL' AS kind, global_tid, start_ns, end_ns FROM gil_ranges WHERE waiting
    UNION ALL
    SELECT CASE kind WHEN 'module' THEN 'loads of GPU code' ELSE 'waits for room in the queue' END, global_tid, start_ns, end_ns
    FROM overheads
    WHERE kind IN ('module', 'queue_full')
    UNION ALL
    SELECT 'host functions', globalTid, "start", "end" FROM export.CUDA_HOST_CALLBACK WHERE is_interval("start", "end")
),

-- in 145 sound traces no thread holds the GIL while another one of its process does, not for 1 ns
gil_holders AS (
    SELECT end_ns > lead(start_ns) OVER (PARTITION BY pid ORDER BY start_ns) + call_tolerance_ns() AS before_the_next
    FROM gil_ranges
    WHERE NOT waiting
)

SELECT 'overheads of threads that wait meanwhile' AS kind, count_if(in_a_wait) AS "rows", count(*) AS all_rows
FROM long_overheads
UNION ALL
SELECT o.kind || ' in which the thread launches', count(*) FILTER (c.end_ns < o.end_ns - call_tolerance_ns()), count(*)
FROM occupied AS o
ASOF LEFT JOIN (FROM calls WHERE family = 'launch') AS c
    ON c.global_tid = o.global_tid AND o.start_ns + call_tolerance_ns() < c.start_ns
GROUP BY o.kind
UNION ALL
SELECT 'threads that hold the GIL while another one does', count_if(before_the_next), count(*) FROM gil_holders;

COMMENT ON VIEW occupied_threads IS 'kinds of events during which a thread does what it cannot do meanwhile';
COMMENT ON COLUMN occupied_threads.kind IS 'the rows, in words';
