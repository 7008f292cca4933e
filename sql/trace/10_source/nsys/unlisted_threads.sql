-- One row for each kind of event whose thread, process or machine is not one of the trace.
-- reads: calls, core_switches, os_calls, pid_of, processes, threads, export.NVTX_EVENTS, export.PROFILER_OVERHEAD
CREATE TABLE unlisted_threads AS
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

nvtx_events AS (
    SELECT pid_of(globalTid) IN (SELECT pid FROM known_processes) AS is_known, count(*) AS times
    FROM export.NVTX_EVENTS
    WHERE EXISTS (FROM processes)
    GROUP BY globalTid
),

switching AS (
    SELECT
        s.times,
        t.global_tid IS NOT NULL
        OR s.global_tid IN (SELECT global_tid FROM os_calls)
        OR s.global_tid IN (SELECT global_tid FROM calls) AS is_known
    FROM (SELECT global_tid, count(*) AS times FROM core_switches GROUP BY global_tid) AS s
    LEFT JOIN threads AS t ON t.global_tid = s.global_tid
    WHERE EXISTS (FROM threads)
)

SELECT
    'CUDA calls of threads that are not listed' AS kind,
    count(*) FILTER (t.global_tid IS NULL) AS "rows",
    count(*) AS all_rows
FROM calls AS c
LEFT JOIN known_threads AS t ON t.global_tid = c.global_tid
WHERE EXISTS (FROM threads) AND (EXISTS (FROM os_calls) OR EXISTS (FROM core_switches))
UNION ALL
-- in 26 sound traces at most 0.4 % of them are of threads that nothing else names
SELECT 'context switches of threads that are not listed', sum(times) FILTER (NOT is_known), sum(times)
FROM switching
HAVING sum(times) FILTER (NOT is_known) > 0.02 * sum(times)
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
WHERE EXISTS (FROM calls);

COMMENT ON TABLE unlisted_threads IS 'kinds of events whose thread, process or machine is not one of the trace';
COMMENT ON COLUMN unlisted_threads.kind IS 'the rows, in words';
