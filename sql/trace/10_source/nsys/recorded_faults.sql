-- One row for each page fault on managed memory that was recorded: where the CPU or a GPU touched pages that it did not have. Of
-- the CPU the trace has the process, the function and its library, but not the thread.
-- reads: gpu_of, is_interval, listed_kinds, pid_of, export.CUDA_UM_CPU_PAGE_FAULT_EVENTS, export.CUDA_UM_GPU_PAGE_FAULT_EVENTS
-- reads: export.ENUM_CUDA_UNIF_MEM_ACCESS_TYPE
CREATE VIEW recorded_faults AS
SELECT
    gpu_of(f.globalPid, f.deviceId) AS gpu,
    pid_of(f.globalPid) AS pid,
    f."start" AS start_ns,
    f."end" AS end_ns,
    CASE WHEN f.numberOfPageFaults > 0 THEN f.numberOfPageFaults ELSE 0 END AS faults,
    lower(k.label) AS access,
    CAST(NULL AS INTEGER) AS function_id,
    CAST(NULL AS INTEGER) AS library_id
FROM export.CUDA_UM_GPU_PAGE_FAULT_EVENTS AS f
LEFT JOIN listed_kinds('export.ENUM_CUDA_UNIF_MEM_ACCESS_TYPE') AS k ON k.id = f.faultAccessType
WHERE is_interval(f."start", f."end") AND f.deviceId IS NOT NULL AND f.globalPid IS NOT NULL
UNION ALL
SELECT
    NULL,
    pid_of(globalPid),
    "start",
    "start",
    1,
    NULL,
    CASE WHEN coalesce(unresolvedFaultPc, 0) = 0 THEN CpuInstruction END,
    module
FROM export.CUDA_UM_CPU_PAGE_FAULT_EVENTS
WHERE is_interval("start", "start") AND globalPid IS NOT NULL;

COMMENT ON VIEW recorded_faults IS 'page faults on managed memory; empty where they were not traced';
COMMENT ON COLUMN recorded_faults.gpu IS 'physical GPU that touched the pages; NULL where the CPU did';
COMMENT ON COLUMN recorded_faults.pid IS 'process that the memory belongs to';
COMMENT ON COLUMN recorded_faults.end_ns IS 'end, ns; the start where the CPU touched them';
COMMENT ON COLUMN recorded_faults.faults IS 'number of page faults';
COMMENT ON COLUMN recorded_faults.function_id IS 'function of the CPU that touched them, in strings';
COMMENT ON COLUMN recorded_faults.library_id IS 'its library or program, in strings';
