-- One row for each kernel that ran. The kernels of a CUDA graph that was traced node by node have the correlation id of its
-- launch.
-- reads: activity_id_of, gpu_of, is_interval, pid_of, export.CUPTI_ACTIVITY_KIND_KERNEL
CREATE VIEW kernels AS
SELECT
    activity_id_of('kernel', k.rowid) AS activity_id,
    k."start" AS start_ns,
    k."end" AS end_ns,
    gpu_of(k.globalPid, k.deviceId) AS gpu,
    pid_of(k.globalPid) AS pid,
    k.streamId AS stream,
    k.correlationId AS correlation_id,
    k.shortName AS name_id,
    k.demangledName AS function_id
FROM export.CUPTI_ACTIVITY_KIND_KERNEL AS k
WHERE is_interval(k."start", k."end");

COMMENT ON VIEW kernels IS 'kernels that ran';
COMMENT ON COLUMN kernels.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN kernels.end_ns IS 'GPU end, ns';
COMMENT ON COLUMN kernels.pid IS 'process that launched it';
COMMENT ON COLUMN kernels.stream IS 'CUDA stream, unique within process and GPU';
COMMENT ON COLUMN kernels.name_id IS 'short name of the kernel, in strings';
COMMENT ON COLUMN kernels.function_id IS 'the same number for all runs of one kernel, with its types; NULL where the trace does not say';
