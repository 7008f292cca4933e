-- One row for each kind of event whose thread or process is not listed, or does something else meanwhile.
-- reads: call_tolerance_ns, calls, core_switches, gil_ranges, is_interval, options, os_calls, overheads, pid_of, processes
-- reads: threads, export.CUDA_HOST_CALLBACK, export.CUPTI_ACTIVITY_KIND_KERNEL, export.NVTX_EVENTS, export.PROFILER_OVERHEAD
CREATE VIEW contradictory_threads AS
WITH
-- a thread or a process that ended before the capture did may not be listed, and is seen elsewhere
known_threads AS (
    SELECT global_tid FROM threads
    UNION
    SELECT o.global_tid FROM os_calls AS o ANTI JOIN threads AS t ON t.global_tid = o.global_tid
    UNION
    SELECT s.global_tid FROM core_switches AS s ANTI JOIN threads AS t ON t.global_tid = s.global_tid
),

known_processes AS (
    SELECT pid FROM processes
    UNION
    SELECT pid_of(global_tid) FROM known_threads
),

launching_processes AS (
    SELECT pid_of(globalPid) AS pid, min("start") AS first_ns, max("end") AS last_ns
    FROM export.CUPTI_ACTIVITY_KIND_KERNEL
    WHERE globalPid IS NOT NULL AND (SELECT window_from_ns FROM options) IS NULL
    GROUP BY globalPid
),

-- In 150 sound traces each process that launches made an OS call while its kernels ran, if only for 8 ms. Here they run for 50
-- ms, and the trace has 100 OS calls: fewer may be all that were made.
silent_processes AS (
    SELECT l.pid
    FROM launching_processes AS l
    ANTI JOIN os_calls AS o ON o.pid = l.pid AND o.start_ns <= l.last_ns AND o.end_ns >= l.first_ns
    WHERE l.last_ns - l.first_ns >= 50000000 AND (SELECT count(*) FROM os_calls) >= 100
),

nvtx_events AS (
    SELECT pid_of(globalTid) IN (SELECT pid FROM known_processes) AS is_known, count(*) AS times
    FROM export.NVTX_EVENTS
    WHERE EXISTS (FROM processes)
    GROUP BY globalTid
),

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
),

counted AS (
    SELECT
        'CUDA calls of threads that are not listed' AS kind,
        count(*) FILTER (t.global_tid IS NULL) AS "rows",
        count(*) AS all_rows
    FROM calls AS c
    LEFT JOIN known_threads AS t ON t.global_tid = c.global_tid
    WHERE EXISTS (FROM threads) AND (EXISTS (FROM os_calls) OR EXISTS (FROM core_switches))
    UNION ALL
    SELECT 'NVTX events of processes that are not listed', coalesce(sum(times) FILTER (NOT is_known), 0), sum(times)
    FROM nvtx_events
    UNION ALL
    SELECT
        'overheads of processes that are not listed',
        count(*) FILTER (pid_of(globalTid) NOT IN (SELECT pid FROM known_processes)),
        count(*)
    FROM export.PROFILER_OVERHEAD
    WHERE globalTid IS NOT NULL AND EXISTS (FROM processes)
    UNION ALL
    -- above the ids of process and thread, that of a thread holds the machine and its virtual machine
    SELECT
        'OS calls on another machine than the CUDA calls',
        count(*) FILTER (global_tid >> 48 NOT IN (SELECT global_tid >> 48 FROM calls)),
        count(*)
    FROM os_calls
    WHERE EXISTS (FROM calls)
    UNION ALL
    SELECT 'overheads of threads that wait meanwhile', count_if(in_a_wait), count(*) FROM long_overheads
    UNION ALL
    SELECT o.kind || ' in which the thread launches', count(*) FILTER (c.end_ns < o.end_ns - call_tolerance_ns()), count(*)
    FROM occupied AS o
    ASOF LEFT JOIN (FROM calls WHERE family = 'launch') AS c
        ON c.global_tid = o.global_tid AND o.start_ns + call_tolerance_ns() < c.start_ns
    GROUP BY o.kind
    UNION ALL
    SELECT 'threads that hold the GIL while another one does', count_if(before_the_next), count(*) FROM gil_holders
    UNION ALL
    SELECT
        'processes that launch, and make no OS call meanwhile',
        (SELECT count(*) FROM silent_processes),
        (SELECT count(*) FROM launching_processes)
)

SELECT kind, CAST("rows" AS BIGINT) AS "rows", CAST(all_rows AS BIGINT) AS all_rows
FROM counted
WHERE "rows" > 0;

COMMENT ON VIEW contradictory_threads IS 'kinds of events whose thread or process is not listed, or does something else; empty for a sound trace';
COMMENT ON COLUMN contradictory_threads.kind IS 'the rows, in words';
