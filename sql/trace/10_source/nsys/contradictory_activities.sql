-- One row for each kind of activity that contradicts itself, its context or what a GPU can do, and for GPU metrics that are no
-- share.
-- reads: gpu_metrics, is_interval, is_size, listed_kinds, pid_of
-- reads: export.CUPTI_ACTIVITY_KIND_GRAPH_TRACE, export.CUPTI_ACTIVITY_KIND_KERNEL
-- reads: export.CUPTI_ACTIVITY_KIND_MEMCPY, export.CUPTI_ACTIVITY_KIND_MEMSET
-- reads: export.ENUM_CUDA_MEMCPY_OPER, export.ENUM_CUDA_MEM_KIND, export.TARGET_INFO_CUDA_CONTEXT_INFO
CREATE TABLE contradictory_activities AS
WITH copies_between AS (
    SELECT
        NOT starts_with(k.label, 'Unified ') AS by_call,
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

-- 1 TB/s, and 50 MB/s for 0.1 ms: of 69 sound traces, the fastest copy makes 55.6 GB/s, and the slowest of 20 us and more
-- 1.4 GB/s. A few may be slow where programs share a GPU.
host_copies AS (
    SELECT
        m.bytes > 1000 * greatest(m."end" - m."start", 1000) AS is_fast,
        m."end" - m."start" >= 100000 AND m.bytes < 0.05 * (m."end" - m."start") AS is_slow
    FROM export.CUPTI_ACTIVITY_KIND_MEMCPY AS m
    INNER JOIN listed_kinds('export.ENUM_CUDA_MEMCPY_OPER') AS k ON k.id = m.copyKind
    WHERE k.label IN ('Host-to-Device', 'Device-to-Host') AND is_interval(m."start", m."end")
)

SELECT
    'copies between other memory than they say' AS kind,
    count(*) FILTER (by_call AND (from_elsewhere OR to_elsewhere)) AS "rows",
    count(*) AS all_rows
FROM copies_between
UNION ALL
SELECT
    'activities on another GPU than their context', coalesce(sum(activities) FILTER (on_another_gpu), 0), sum(activities)
FROM in_contexts
UNION ALL
SELECT
    'copies and memsets of no bytes, or of more than their time allows',
    count(*) FILTER (NOT is_size(bytes, "end" - "start")),
    count(*)
FROM (
    SELECT "start", "end", bytes FROM export.CUPTI_ACTIVITY_KIND_MEMCPY
    UNION ALL
    SELECT "start", "end", bytes FROM export.CUPTI_ACTIVITY_KIND_MEMSET
) AS moved
WHERE is_interval("start", "end")
UNION ALL
SELECT
    'copies to or from the host of an impossible bandwidth',
    CASE WHEN count_if(is_fast) > 0 OR count_if(is_slow) > greatest(2, 0.02 * count(*)) THEN count_if(is_fast OR is_slow) END,
    count(*)
FROM host_copies
UNION ALL
-- a share of a peak may be a little more than 100 %
SELECT 'GPU metrics that are no share', count(*) FILTER ("value" NOT BETWEEN 0 AND 200), count(*)
FROM gpu_metrics
WHERE unit = '%';

COMMENT ON TABLE contradictory_activities IS 'kinds of activities that contradict themselves or their context, and how many there are';
COMMENT ON COLUMN contradictory_activities.kind IS 'the rows, in words';
