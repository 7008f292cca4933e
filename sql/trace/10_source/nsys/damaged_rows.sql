-- One row for each column of the export in which rows lack what every row of a sound export has.
-- reads: filled, filled_intervals, is_nvtx, nameless, sessions, export.COMPOSITE_EVENTS, export.CUDA_HOST_CALLBACK
-- reads: export.CUDA_UM_CPU_PAGE_FAULT_EVENTS, export.CUDA_UM_GPU_PAGE_FAULT_EVENTS
-- reads: export.CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH, export.CUPTI_ACTIVITY_KIND_GRAPH_TRACE
-- reads: export.CUPTI_ACTIVITY_KIND_JIT, export.CUPTI_ACTIVITY_KIND_KERNEL, export.CUPTI_ACTIVITY_KIND_MEMCPY
-- reads: export.CUPTI_ACTIVITY_KIND_MEMSET, export.CUPTI_ACTIVITY_KIND_OVERHEAD, export.CUPTI_ACTIVITY_KIND_RUNTIME
-- reads: export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, export.ENUM_CUDA_MEMCPY_OPER, export.ENUM_CUDA_MEM_KIND
-- reads: export.ENUM_CUDA_UNIF_MEM_ACCESS_TYPE, export.ENUM_CUPTI_OVERHEAD_TYPE, export.ENUM_CUPTI_SYNC_TYPE
-- reads: export.ENUM_GPU_CTX_SWITCH, export.GPU_CONTEXT_SWITCH_EVENTS, export.GPU_METRICS
-- reads: export.ENUM_NSYS_EVENT_TYPE, export.OSRT_FILE_ACCESS_DESCRIPTORS, export.OSRT_FILE_ACCESS_EVENTS
-- reads: export.ENUM_SAMPLING_THREAD_STATE, export.NVTX_EVENTS, export.OSRT_API, export.PROCESSES, export.PROFILER_OVERHEAD
-- reads: export.SAMPLING_CALLCHAINS, export.SCHED_EVENTS, export.StringIds, export.TARGET_INFO_CUDA_CONTEXT_INFO
-- reads: export.TARGET_INFO_CUDA_DEVICE, export.TARGET_INFO_CUDA_STREAM, export.TARGET_INFO_GPU
-- reads: export.TARGET_INFO_GPU_METRICS, export.TARGET_INFO_SESSION_START_TIME, export.ThreadNames
CREATE TABLE damaged_rows AS
WITH named_kernels AS (
    SELECT shortName AS nameId FROM export.CUPTI_ACTIVITY_KIND_KERNEL
),

file_events AS (
    SELECT * EXCLUDE (startedAt, endedAt), startedAt AS "start", endedAt AS "end"
    FROM export.OSRT_FILE_ACCESS_EVENTS
),

gpu_switches AS (
    SELECT * EXCLUDE ("timestamp"), "timestamp" AS "start", "timestamp" AS "end" FROM export.GPU_CONTEXT_SWITCH_EVENTS
),

cpu_faults AS (
    SELECT *, "start" AS "end" FROM export.CUDA_UM_CPU_PAGE_FAULT_EVENTS
),

session_starts AS (
    SELECT CASE WHEN utcEpochNs IN (SELECT started_ns FROM sessions) THEN utcEpochNs END AS utcEpochNs
    FROM export.TARGET_INFO_SESSION_START_TIME
),

-- for each table one JSON object with a count for each column: UNPIVOT would take three times as long to plan
tables AS (
    SELECT 'StringIds' AS table_name, * FROM filled('export.StringIds')
    UNION ALL
    SELECT 'CUPTI_ACTIVITY_KIND_KERNEL', * FROM filled_intervals('export.CUPTI_ACTIVITY_KIND_KERNEL')
    UNION ALL
    SELECT 'CUPTI_ACTIVITY_KIND_MEMCPY', * FROM filled_intervals('export.CUPTI_ACTIVITY_KIND_MEMCPY')
    UNION ALL
    SELECT 'CUPTI_ACTIVITY_KIND_MEMSET', * FROM filled_intervals('export.CUPTI_ACTIVITY_KIND_MEMSET')
    UNION ALL
    SELECT 'CUPTI_ACTIVITY_KIND_GRAPH_TRACE', * FROM filled_intervals('export.CUPTI_ACTIVITY_KIND_GRAPH_TRACE')
    UNION ALL
    SELECT 'CUPTI_ACTIVITY_KIND_SYNCHRONIZATION', * FROM filled_intervals('export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION')
    UNION ALL
    SELECT 'CUPTI_ACTIVITY_KIND_RUNTIME', * FROM filled_intervals('export.CUPTI_ACTIVITY_KIND_RUNTIME')
    UNION ALL
    SELECT 'OSRT_API', * FROM filled_intervals('export.OSRT_API')
    UNION ALL
    SELECT 'PROFILER_OVERHEAD', * FROM filled_intervals('export.PROFILER_OVERHEAD')
    UNION ALL
    SELECT 'NVTX_EVENTS', * FROM filled_intervals('export.NVTX_EVENTS', marks := true)
    UNION ALL
    SELECT 'ThreadNames', * FROM filled('export.ThreadNames')
    UNION ALL
    SELECT 'PROCESSES', * FROM filled('export.PROCESSES')
    UNION ALL
    SELECT 'TARGET_INFO_GPU', * FROM filled('export.TARGET_INFO_GPU')
    UNION ALL
    SELECT 'TARGET_INFO_SESSION_START_TIME', * FROM filled('session_starts')
    UNION ALL
    SELECT 'TARGET_INFO_CUDA_DEVICE', * FROM filled('export.TARGET_INFO_CUDA_DEVICE')
    UNION ALL
    SELECT 'TARGET_INFO_CUDA_CONTEXT_INFO', * FROM filled('export.TARGET_INFO_CUDA_CONTEXT_INFO')
    UNION ALL
    SELECT 'TARGET_INFO_CUDA_STREAM', * FROM filled('export.TARGET_INFO_CUDA_STREAM')
    UNION ALL
    SELECT 'ENUM_CUDA_MEMCPY_OPER', * FROM filled('export.ENUM_CUDA_MEMCPY_OPER')
    UNION ALL
    SELECT 'ENUM_CUDA_MEM_KIND', * FROM filled('export.ENUM_CUDA_MEM_KIND')
    UNION ALL
    SELECT 'ENUM_CUPTI_SYNC_TYPE', * FROM filled('export.ENUM_CUPTI_SYNC_TYPE')
    UNION ALL
    SELECT 'ENUM_NSYS_EVENT_TYPE', * FROM filled('export.ENUM_NSYS_EVENT_TYPE')
    UNION ALL
    SELECT 'ENUM_SAMPLING_THREAD_STATE', * FROM filled('export.ENUM_SAMPLING_THREAD_STATE')
    UNION ALL
    SELECT 'SCHED_EVENTS', * FROM filled('export.SCHED_EVENTS')
    UNION ALL
    SELECT 'COMPOSITE_EVENTS', * FROM filled('export.COMPOSITE_EVENTS')
    UNION ALL
    SELECT 'SAMPLING_CALLCHAINS', * FROM filled('export.SAMPLING_CALLCHAINS')
    UNION ALL
    SELECT 'ENUM_CUPTI_OVERHEAD_TYPE', * FROM filled('export.ENUM_CUPTI_OVERHEAD_TYPE')
    UNION ALL
    SELECT 'CUPTI_ACTIVITY_KIND_OVERHEAD', * FROM filled_intervals('export.CUPTI_ACTIVITY_KIND_OVERHEAD')
    UNION ALL
    SELECT 'CUPTI_ACTIVITY_KIND_JIT', * FROM filled_intervals('export.CUPTI_ACTIVITY_KIND_JIT')
    UNION ALL
    SELECT 'CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH', *
    FROM filled_intervals('export.CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH')
    UNION ALL
    SELECT 'CUDA_HOST_CALLBACK', * FROM filled_intervals('export.CUDA_HOST_CALLBACK')
    UNION ALL
    SELECT 'ENUM_GPU_CTX_SWITCH', * FROM filled('export.ENUM_GPU_CTX_SWITCH')
    UNION ALL
    SELECT 'GPU_CONTEXT_SWITCH_EVENTS', * FROM filled_intervals('gpu_switches')
    UNION ALL
    SELECT 'ENUM_CUDA_UNIF_MEM_ACCESS_TYPE', * FROM filled('export.ENUM_CUDA_UNIF_MEM_ACCESS_TYPE')
    UNION ALL
    SELECT 'CUDA_UM_CPU_PAGE_FAULT_EVENTS', * FROM filled_intervals('cpu_faults')
    UNION ALL
    SELECT 'CUDA_UM_GPU_PAGE_FAULT_EVENTS', * FROM filled_intervals('export.CUDA_UM_GPU_PAGE_FAULT_EVENTS')
    UNION ALL
    SELECT 'OSRT_FILE_ACCESS_EVENTS', * FROM filled_intervals('file_events')
    UNION ALL
    SELECT 'OSRT_FILE_ACCESS_DESCRIPTORS', * FROM filled('export.OSRT_FILE_ACCESS_DESCRIPTORS')
    UNION ALL
    SELECT 'GPU_METRICS', * FROM filled('export.GPU_METRICS')
    UNION ALL
    SELECT 'TARGET_INFO_GPU_METRICS', * FROM filled('export.TARGET_INFO_GPU_METRICS')
),

columns AS MATERIALIZED (
    SELECT
        table_name,
        column_name,
        CAST(counts ->> column_name AS BIGINT) AS many,
        CAST(counts ->> 'all_rows' AS BIGINT) AS all_rows
    FROM (SELECT *, unnest(json_keys(counts)) AS column_name FROM tables)
),

names AS (
    SELECT 'CUPTI_ACTIVITY_KIND_KERNEL' AS table_name, 'shortName' AS column_name, * FROM nameless('named_kernels')
    UNION ALL
    SELECT 'CUPTI_ACTIVITY_KIND_RUNTIME', 'nameId', * FROM nameless('export.CUPTI_ACTIVITY_KIND_RUNTIME')
    UNION ALL
    SELECT 'OSRT_API', 'nameId', * FROM nameless('export.OSRT_API')
),

-- ranges and domains must have a text, and ranges an end
unnamed AS (
    SELECT count_if(text IS NULL AND textId IS NULL) AS "rows", count(*) AS all_rows, count_if(is_range) AS ranges
    FROM (
        SELECT *, is_nvtx(eventType, 'NvtxPushPopRange') OR is_nvtx(eventType, 'NvtxStartEndRange') AS is_range
        FROM export.NVTX_EVENTS
    )
    WHERE is_range OR is_nvtx(eventType, 'NvtxDomainCreate')
)

SELECT table_name, column_name, all_rows - many AS "rows", all_rows
FROM columns
WHERE
    column_name NOT IN (
        'end', 'text', 'textId', 'jsonText', 'jsonTextId', 'binaryData', 'migrationCause', 'unresolvedFaultPc',
        'demangledName', 'all_rows', 'impossible'
    )
    -- the starts of intervals are judged with their ends, below
    AND (column_name <> 'start' OR table_name IN ('SCHED_EVENTS', 'COMPOSITE_EVENTS'))
    -- a switch may be of no process
    AND NOT (column_name = 'globalPid' AND table_name = 'GPU_CONTEXT_SWITCH_EVENTS')
    -- that of an activity is only a second sign of its GPU, which contradictory_activities compares
    AND NOT (column_name = 'contextId' AND table_name NOT IN ('GPU_CONTEXT_SWITCH_EVENTS', 'TARGET_INFO_CUDA_CONTEXT_INFO'))
    -- few overheads have a name
    AND NOT (column_name = 'nameId' AND table_name IN ('CUPTI_ACTIVITY_KIND_OVERHEAD', 'CUPTI_ACTIVITY_KIND_JIT'))
    -- one string is empty, and is read as NULL
    AND many < all_rows - CASE WHEN table_name = 'StringIds' AND column_name = 'value' THEN 1 ELSE 0 END
UNION ALL
SELECT *
FROM names
WHERE "rows" > 0
UNION ALL
SELECT table_name, 'start and end', many, all_rows
FROM columns
WHERE column_name = 'impossible' AND many > 0
UNION ALL
SELECT 'NVTX_EVENTS', 'end', all_rows, all_rows
FROM columns
WHERE table_name = 'NVTX_EVENTS' AND column_name = 'end' AND many = 0 AND EXISTS (FROM unnamed WHERE ranges > 0)
UNION ALL
SELECT 'NVTX_EVENTS', 'text', "rows", all_rows
FROM unnamed
WHERE "rows" > 0;

COMMENT ON TABLE damaged_rows IS 'columns of the export in which rows lack what every row of a sound export has; empty for a sound one';
COMMENT ON COLUMN damaged_rows.column_name IS 'the column that is NULL, or has the id of no text; "start and end" where times are NULL or impossible';
COMMENT ON COLUMN damaged_rows."rows" IS 'number of such rows';
COMMENT ON COLUMN damaged_rows.all_rows IS 'number of rows in the table';
