-- Which strings are used, and for what. The name of a call is that of a function of CUDA or of the OS, which is no secret. A
-- file is that of a frame of a Python sample.
-- reads: pid_of, redacted.own_frames, redacted.own_processes, export.CUPTI_ACTIVITY_KIND_KERNEL
-- reads: export.CUPTI_ACTIVITY_KIND_RUNTIME, export.NVTX_EVENTS, export.OSRT_API, export.PROFILER_OVERHEAD, export.ThreadNames
CREATE TABLE redacted.string_uses AS
SELECT nameId AS string_id, 'call' AS use FROM export.CUPTI_ACTIVITY_KIND_RUNTIME
UNION
SELECT nameId, 'call' FROM export.OSRT_API
UNION
SELECT nameId, 'name' FROM export.PROFILER_OVERHEAD
UNION
SELECT shortName, 'name' FROM export.CUPTI_ACTIVITY_KIND_KERNEL
UNION
SELECT demangledName, 'name' FROM export.CUPTI_ACTIVITY_KIND_KERNEL
UNION
SELECT textId, 'name' FROM export.NVTX_EVENTS
UNION
SELECT nameId, 'name' FROM export.ThreadNames WHERE pid_of(globalTid) IN (FROM redacted.own_processes)
UNION
SELECT file_id, 'file' FROM redacted.own_frames
UNION
SELECT function_id, 'name' FROM redacted.own_frames;
