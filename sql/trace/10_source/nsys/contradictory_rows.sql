-- One row for each kind of row that contradicts other rows of the export. 127 sound traces have none, but for synchronize events
-- outside of calls: one or two calls do not return before the recording ends, and in two programs of JAX nsys lost 25 calls in a
-- row, at most 0.9 % of the events and 1.5 % of the time. So two events, or 2 %, are usual, unless one takes 5 % of the time.
-- reads: call_tolerance_ns, calls, core_switches, gpu_metrics, is_interval, is_size, listed_kinds
-- reads: options, os_calls, overheads, pid_of, processes, strings, threads
-- reads: export.CUPTI_ACTIVITY_KIND_GRAPH_TRACE
-- reads: export.CUPTI_ACTIVITY_KIND_KERNEL
-- reads: export.CUPTI_ACTIVITY_KIND_MEMCPY, export.CUPTI_ACTIVITY_KIND_MEMSET, export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
-- reads: export.ENUM_CUDA_MEMCPY_OPER, export.ENUM_CUDA_MEM_KIND, export.NVTX_EVENTS, export.PROFILER_OVERHEAD
-- reads: export.TARGET_INFO_CUDA_CONTEXT_INFO
CREATE VIEW contradictory_rows AS
WITH copies_between AS (
    SELECT
        k.label IN ('Host-to-Device', 'Device-to-Host', 'Device-to-Device', 'Host-to-Host') AS is_known,
        s.label IN ('Pageable', 'Pinned', 'Device', 'Device Static')
        AND starts_with(k.label, 'Host-') <> (s.label IN ('Pageable', 'Pinned')) AS from_elsewhere,
        d.label IN ('Pageable', 'Pinned', 'Device', 'Device Static')
        AND ends_with(k.label, '-Host') <> (d.label IN ('Pageable', 'Pinned')) AS to_elsewhere
    FROM export.CUPTI_ACTIVITY_KIND_MEMCPY AS m
    INNER JOIN listed_kinds('export.ENUM_CUDA_MEMCPY_OPER') AS k ON k.id = m.copyKind
    LEFT JOIN listed_kinds('export.ENUM_CUDA_MEM_KIND') AS s ON s.id = m.srcKind
    LEFT JOIN listed_kinds('export.ENUM_CUDA_MEM_KIND') AS d ON d.id = m.dstKind
),

contexts AS (
    SELECT processId AS pid, contextId, list(DISTINCT deviceId) AS devices
    FROM export.TARGET_INFO_CUDA_CONTEXT_INFO
    GROUP BY processId, contextId
),

-- A context belongs to one GPU. Where it is not listed, that is the one of most of its activities.
in_contexts AS (
    SELECT
        count(*) AS activities,
        coalesce(
            NOT list_contains(any_value(c.devices), a.deviceId),
            row_number() OVER (PARTITION BY a.globalPid, a.contextId ORDER BY count(*) DESC, a.deviceId) > 1
        ) AS on_another_gpu
    FROM (
        SELECT globalPid, contextId, deviceId FROM export.CUPTI_ACTIVITY_KIND_KERNEL
        UNION ALL
        SELECT globalPid, contextId, deviceId FROM export.CUPTI_ACTIVITY_KIND_MEMCPY
        UNION ALL
        SELECT globalPid, contextId, deviceId FROM export.CUPTI_ACTIVITY_KIND_MEMSET
        UNION ALL
        SELECT globalPid, contextId, deviceId FROM export.CUPTI_ACTIVITY_KIND_GRAPH_TRACE
    ) AS a
    LEFT JOIN contexts AS c ON c.pid = pid_of(a.globalPid) AND c.contextId = a.contextId
    WHERE a.contextId IS NOT NULL
    GROUP BY a.globalPid, a.contextId, a.deviceId
),

-- Where an event has no call, what compares them is NULL. A part of a trace may lack the calls that began before it.
synced AS (
    SELECT
        coalesce(
            s."start" < c.start_ns - call_tolerance_ns() OR s."end" > c.end_ns + call_tolerance_ns()
            OR NOT (c.family IN ('sync', 'stream_wait') OR n.text LIKE 'cu%ProfilerStop%' OR n.text LIKE 'cu%Query%'),
            (SELECT window_from_ns FROM options) IS NULL
        ) AS has_no_call,
        coalesce(n.text LIKE 'cu%Query%', false) AS only_asks,
        s."end" - s."start" > 20000 AS is_long,
        s."end" - s."start" > 0.05 * (SELECT max(end_ns) - min(start_ns) FROM calls) AS carries_much
    FROM export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION AS s
    LEFT JOIN calls AS c ON c.pid = pid_of(s.globalPid) AND c.correlation_id = s.correlationId
    LEFT JOIN strings AS n ON n.string_id = c.name_id
    WHERE EXISTS (FROM calls)
),

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

counted AS (
    SELECT
        'copies between other memory than they say' AS kind,
        count(*) FILTER (is_known AND (from_elsewhere OR to_elsewhere)) AS "rows",
        count(*) AS all_rows,
        0.0 AS usual
    FROM copies_between
    UNION ALL
    SELECT
        'activities on another GPU than their context',
        coalesce(sum(activities) FILTER (on_another_gpu), 0),
        sum(activities),
        0.0
    FROM in_contexts
    UNION ALL
    SELECT
        'copies and memsets of more bytes than their time allows',
        count(*) FILTER (NOT is_size(bytes, "end" - "start")),
        count(*),
        0.0
    FROM (
        SELECT "start", "end", bytes FROM export.CUPTI_ACTIVITY_KIND_MEMCPY
        UNION ALL
        SELECT "start", "end", bytes FROM export.CUPTI_ACTIVITY_KIND_MEMSET
    ) AS moved
    WHERE is_interval("start", "end")
    UNION ALL
    -- a share of a peak may be a little more than 100 %
    SELECT 'GPU metrics that are no share', count(*) FILTER ("value" NOT BETWEEN 0 AND 200), count(*), 0.0
    FROM gpu_metrics
    WHERE unit = '%'
    UNION ALL
    SELECT 'CUDA calls of threads that are not listed', count(*) FILTER (t.global_tid IS NULL), count(*), 0.0
    FROM calls AS c
    LEFT JOIN known_threads AS t ON t.global_tid = c.global_tid
    WHERE EXISTS (FROM threads) AND (EXISTS (FROM os_calls) OR EXISTS (FROM core_switches))
    UNION ALL
    SELECT 'NVTX events of processes that are not listed', coalesce(sum(times) FILTER (NOT is_known), 0), sum(times), 0.0
    FROM nvtx_events
    UNION ALL
    SELECT
        'overheads of processes that are not listed',
        count(*) FILTER (pid_of(globalTid) NOT IN (SELECT pid FROM known_processes)),
        count(*),
        0.0
    FROM export.PROFILER_OVERHEAD
    WHERE globalTid IS NOT NULL AND EXISTS (FROM processes)
    UNION ALL
    SELECT 'overheads of threads that wait meanwhile', count_if(in_a_wait), count(*), 0.0 FROM long_overheads
    UNION ALL
    SELECT
        'processes that launch, and make no OS call meanwhile',
        (SELECT count(*) FROM silent_processes),
        (SELECT count(*) FROM launching_processes),
        0.0
    UNION ALL
    SELECT
        'synchronize events outside of a call that waits',
        count(*) FILTER (has_no_call),
        count(*),
        CASE WHEN bool_or(has_no_call AND carries_much) THEN 0 ELSE greatest(2, 0.02 * count(*)) END
    FROM synced
    UNION ALL
    -- to ask whether an event has come takes 1 to 10 us; in 34 sound traces 0 to 8 % of such calls took more than 20
    SELECT 'synchronize events in calls that only ask', count(*) FILTER (is_long), count(*), 2 + 0.2 * count(*)
    FROM synced
    WHERE only_asks
)

SELECT kind, CAST("rows" AS BIGINT) AS "rows", CAST(all_rows AS BIGINT) AS all_rows
FROM counted
WHERE "rows" > usual;

COMMENT ON VIEW contradictory_rows IS 'kinds of rows that contradict other rows of the export; empty for a sound trace';
COMMENT ON COLUMN contradictory_rows.kind IS 'the rows, in words';
COMMENT ON COLUMN contradictory_rows."rows" IS 'number of them';
COMMENT ON COLUMN contradictory_rows.all_rows IS 'number of all such rows';
