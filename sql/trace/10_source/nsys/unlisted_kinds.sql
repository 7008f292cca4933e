-- One row for each column of the export in which rows have a kind that the table of these kinds does not list.
-- reads: export.CUDA_UM_GPU_PAGE_FAULT_EVENTS, export.CUPTI_ACTIVITY_KIND_MEMCPY, export.CUPTI_ACTIVITY_KIND_OVERHEAD
-- reads: export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, export.ENUM_CUDA_MEMCPY_OPER, export.ENUM_CUDA_UNIF_MEM_ACCESS_TYPE
-- reads: export.ENUM_CUPTI_OVERHEAD_TYPE, export.ENUM_CUPTI_SYNC_TYPE, export.ENUM_GPU_CTX_SWITCH, export.ENUM_NSYS_EVENT_TYPE
-- reads: export.GPU_CONTEXT_SWITCH_EVENTS, export.NVTX_EVENTS
CREATE TABLE unlisted_kinds AS
WITH used AS (
    SELECT 'CUPTI_ACTIVITY_KIND_MEMCPY' AS table_name, 'ENUM_CUDA_MEMCPY_OPER' AS kinds, copyKind AS id
    FROM export.CUPTI_ACTIVITY_KIND_MEMCPY
    UNION ALL
    SELECT 'CUPTI_ACTIVITY_KIND_SYNCHRONIZATION', 'ENUM_CUPTI_SYNC_TYPE', syncType
    FROM export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
    UNION ALL
    SELECT 'NVTX_EVENTS', 'ENUM_NSYS_EVENT_TYPE', eventType
    FROM export.NVTX_EVENTS
    UNION ALL
    SELECT 'CUPTI_ACTIVITY_KIND_OVERHEAD', 'ENUM_CUPTI_OVERHEAD_TYPE', overheadType
    FROM export.CUPTI_ACTIVITY_KIND_OVERHEAD
    UNION ALL
    SELECT 'GPU_CONTEXT_SWITCH_EVENTS', 'ENUM_GPU_CTX_SWITCH', tag
    FROM export.GPU_CONTEXT_SWITCH_EVENTS
    UNION ALL
    SELECT 'CUDA_UM_GPU_PAGE_FAULT_EVENTS', 'ENUM_CUDA_UNIF_MEM_ACCESS_TYPE', faultAccessType
    FROM export.CUDA_UM_GPU_PAGE_FAULT_EVENTS
),

counted AS (
    SELECT table_name, kinds, id, count(*) AS times FROM used GROUP BY ALL
),

listed AS (
    SELECT 'ENUM_CUDA_MEMCPY_OPER' AS kinds, id FROM export.ENUM_CUDA_MEMCPY_OPER
    UNION ALL
    SELECT 'ENUM_CUPTI_SYNC_TYPE', id FROM export.ENUM_CUPTI_SYNC_TYPE
    UNION ALL
    SELECT 'ENUM_NSYS_EVENT_TYPE', id FROM export.ENUM_NSYS_EVENT_TYPE
    UNION ALL
    SELECT 'ENUM_CUPTI_OVERHEAD_TYPE', id FROM export.ENUM_CUPTI_OVERHEAD_TYPE
    UNION ALL
    SELECT 'ENUM_GPU_CTX_SWITCH', id FROM export.ENUM_GPU_CTX_SWITCH
    UNION ALL
    SELECT 'ENUM_CUDA_UNIF_MEM_ACCESS_TYPE', id FROM export.ENUM_CUDA_UNIF_MEM_ACCESS_TYPE
)

SELECT
    c.table_name,
    c.kinds,
    CAST(sum(c.times) FILTER (WHERE l.id IS NULL) AS BIGINT) AS "rows",
    CAST(sum(c.times) AS BIGINT) AS all_rows
FROM counted AS c
LEFT JOIN (SELECT DISTINCT kinds, id FROM listed) AS l USING (kinds, id)
WHERE c.id IS NOT NULL
GROUP BY c.table_name, c.kinds
HAVING count(*) FILTER (WHERE l.id IS NULL) > 0;

COMMENT ON TABLE unlisted_kinds IS 'tables of the export with rows of unknown kinds; empty for a sound trace';
COMMENT ON COLUMN unlisted_kinds.kinds IS 'table of the export that should list the kinds';
COMMENT ON COLUMN unlisted_kinds."rows" IS 'number of rows of unknown kinds';
COMMENT ON COLUMN unlisted_kinds.all_rows IS 'number of rows that have a kind';
