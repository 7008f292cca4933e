-- Which strings are used, and for what. The name of a call is that of a function of CUDA, of the OS or of a public library, which
-- is no secret. A file is that of a frame of a sample, a library one whose frames speak for a cause.
-- reads: pid_of, redacted.SAMPLING_CALLCHAINS, redacted.kept_frames, redacted.own_processes
-- reads: export.CUDA_UM_CPU_PAGE_FAULT_EVENTS, export.CUPTI_ACTIVITY_KIND_JIT
-- reads: export.CUPTI_ACTIVITY_KIND_KERNEL, export.CUPTI_ACTIVITY_KIND_OVERHEAD, export.CUPTI_ACTIVITY_KIND_RUNTIME
-- reads: export.NVTX_EVENTS, export.OSRT_API, export.PROFILER_OVERHEAD, export.ThreadNames
CREATE TABLE redacted.string_uses AS
SELECT nameId AS string_id, 'call' AS use FROM export.CUPTI_ACTIVITY_KIND_RUNTIME
UNION
SELECT nameId, 'call' FROM export.OSRT_API
UNION
SELECT nameId, 'name' FROM export.PROFILER_OVERHEAD
UNION
SELECT nameId, 'call' FROM export.CUPTI_ACTIVITY_KIND_OVERHEAD
UNION
SELECT nameId, 'name' FROM export.CUPTI_ACTIVITY_KIND_JIT
UNION
SELECT shortName, 'name' FROM export.CUPTI_ACTIVITY_KIND_KERNEL
UNION
SELECT demangledName, 'name' FROM export.CUPTI_ACTIVITY_KIND_KERNEL
UNION
SELECT textId, 'name' FROM export.NVTX_EVENTS
UNION
SELECT nameId, 'name' FROM export.ThreadNames WHERE pid_of(globalTid) IN (FROM redacted.own_processes)
UNION
SELECT file_id, CASE WHEN own THEN 'file' ELSE 'library' END FROM redacted.kept_frames
UNION
SELECT function_id, CASE WHEN own THEN 'name' ELSE 'call' END FROM redacted.kept_frames
UNION
SELECT module, 'file' FROM redacted.SAMPLING_CALLCHAINS
UNION
SELECT module, 'file' FROM export.CUDA_UM_CPU_PAGE_FAULT_EVENTS
UNION
SELECT CpuInstruction, 'name' FROM export.CUDA_UM_CPU_PAGE_FAULT_EVENTS
UNION
SELECT symbol, 'name' FROM redacted.SAMPLING_CALLCHAINS;
