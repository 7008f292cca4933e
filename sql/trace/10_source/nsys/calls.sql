-- One row for each call of the CUDA runtime or driver API.
-- reads: call_families, is_interval, pid_of, export.CUPTI_ACTIVITY_KIND_RUNTIME
CREATE VIEW calls AS
SELECT
    r."start" AS start_ns,
    r."end" AS end_ns,
    pid_of(r.globalTid) AS pid,
    r.globalTid AS global_tid,
    r.correlationId AS correlation_id,
    r.nameId AS name_id,
    coalesce(f.family, 'other') AS family,
    -- cudaErrorNotReady and CUDA_ERROR_NOT_READY
    coalesce(f.family = 'query' AND r.returnValue = 600, false) AS in_vain
FROM export.CUPTI_ACTIVITY_KIND_RUNTIME AS r
LEFT JOIN call_families AS f ON f.string_id = r.nameId
WHERE is_interval(r."start", r."end");

COMMENT ON VIEW calls IS 'CUDA runtime and driver API calls, without those that only ask a question (cuKernelGetName, …)';
COMMENT ON COLUMN calls.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN calls.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN calls.correlation_id IS 'unique within the process; the activities that the call submitted have the same';
COMMENT ON COLUMN calls.name_id IS 'name, in strings';
COMMENT ON COLUMN calls.in_vain IS 'true for a query while the GPU was not done yet';
