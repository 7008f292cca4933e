-- One row for each kind that the export lists by another number than CUPTI and nsys give it, or twice. Of each table here stand
-- those that a rule looks for; 120 sound traces, some of nsys 2023.4 and some of 2025.3, list them so.
-- reads: export.ENUM_CUDA_MEMCPY_OPER, export.ENUM_CUDA_MEM_KIND, export.ENUM_CUDA_UNIF_MEM_ACCESS_TYPE
-- reads: export.ENUM_GPU_CTX_SWITCH, export.ENUM_NSYS_EVENT_TYPE, export.ENUM_SAMPLING_THREAD_STATE
CREATE TABLE misnamed_kinds AS
WITH known (table_name, id, kind) AS (
    VALUES
    ('ENUM_CUDA_MEMCPY_OPER', 1, 'Host-to-Device'),
    ('ENUM_CUDA_MEMCPY_OPER', 2, 'Device-to-Host'),
    ('ENUM_CUDA_MEMCPY_OPER', 8, 'Device-to-Device'),
    ('ENUM_CUDA_MEMCPY_OPER', 9, 'Host-to-Host'),
    ('ENUM_CUDA_MEMCPY_OPER', 10, 'Peer-to-Peer'),
    ('ENUM_CUDA_MEMCPY_OPER', 11, 'Unified Host-to-Device'),
    ('ENUM_CUDA_MEMCPY_OPER', 12, 'Unified Device-to-Host'),
    ('ENUM_CUDA_MEM_KIND', 0, 'Pageable'),
    ('ENUM_CUDA_MEM_KIND', 1, 'Pinned'),
    ('ENUM_CUDA_MEM_KIND', 2, 'Device'),
    ('ENUM_CUDA_UNIF_MEM_ACCESS_TYPE', 1, 'Read'),
    ('ENUM_CUDA_UNIF_MEM_ACCESS_TYPE', 2, 'Write'),
    ('ENUM_CUDA_UNIF_MEM_ACCESS_TYPE', 4, 'Prefetch'),
    ('ENUM_GPU_CTX_SWITCH', 7, 'SAVE_END'),
    ('ENUM_GPU_CTX_SWITCH', 8, 'RESTORE_START'),
    ('ENUM_NSYS_EVENT_TYPE', 59, 'NvtxPushPopRange'),
    ('ENUM_NSYS_EVENT_TYPE', 60, 'NvtxStartEndRange'),
    ('ENUM_NSYS_EVENT_TYPE', 75, 'NvtxDomainCreate'),
    ('ENUM_SAMPLING_THREAD_STATE', 1, 'Running'),
    ('ENUM_SAMPLING_THREAD_STATE', 2, 'Interruptible'),
    ('ENUM_SAMPLING_THREAD_STATE', 3, 'Uninterruptible'),
    ('ENUM_SAMPLING_THREAD_STATE', 4, 'Stopped'),
    ('ENUM_SAMPLING_THREAD_STATE', 5, 'Terminated'),
    ('ENUM_SAMPLING_THREAD_STATE', 6, 'Unscheduled'),
    ('ENUM_SAMPLING_THREAD_STATE', 7, 'Waiting')
),

listed AS (
    SELECT 'ENUM_CUDA_MEMCPY_OPER' AS table_name, id, label AS kind FROM export.ENUM_CUDA_MEMCPY_OPER
    UNION ALL
    SELECT 'ENUM_CUDA_MEM_KIND', id, label FROM export.ENUM_CUDA_MEM_KIND
    UNION ALL
    SELECT 'ENUM_CUDA_UNIF_MEM_ACCESS_TYPE', id, label FROM export.ENUM_CUDA_UNIF_MEM_ACCESS_TYPE
    UNION ALL
    SELECT 'ENUM_GPU_CTX_SWITCH', id, name FROM export.ENUM_GPU_CTX_SWITCH
    UNION ALL
    SELECT 'ENUM_NSYS_EVENT_TYPE', id, name FROM export.ENUM_NSYS_EVENT_TYPE
    UNION ALL
    SELECT 'ENUM_SAMPLING_THREAD_STATE', id, name FROM export.ENUM_SAMPLING_THREAD_STATE
)

SELECT DISTINCT l.table_name, l.id, l.kind
FROM listed AS l
INNER JOIN known AS k ON k.table_name = l.table_name AND (k.id = l.id) <> (k.kind IS NOT DISTINCT FROM l.kind);

COMMENT ON TABLE misnamed_kinds IS 'kinds that the export lists by a number that is not theirs; empty for a sound trace';
COMMENT ON COLUMN misnamed_kinds.id IS 'the number';
COMMENT ON COLUMN misnamed_kinds.kind IS 'the kind, as it stands there';
