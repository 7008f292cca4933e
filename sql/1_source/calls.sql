-- CUDA API calls. Names carry version suffixes and grow variants (cudaLaunchKernelExC_v11060,
-- cuLaunchKernelEx), so what a call does is told from the stem of its name.
CREATE TABLE call_families AS
WITH stems AS (
    SELECT string_id, regexp_replace(text, '(_v[0-9]+)?(_ptsz|_ptds)?$', '') AS name
    FROM strings
    WHERE starts_with(text, 'cu')
)

SELECT
    string_id,
    name,
    CASE
        WHEN regexp_matches(name, '^(cudaLaunchHostFunc|cuLaunchHostFunc|cu(da)?StreamAddCallback)') THEN 'host_function'
        WHEN regexp_matches(name, '^cu(da)?Launch') THEN 'launch'
        WHEN regexp_matches(name, '^cu(da)?GraphLaunch') THEN 'launch'
        WHEN regexp_matches(name, '^cu(da)?(Device|Ctx|Stream|Event|Thread)Synchronize') THEN 'sync'
        WHEN regexp_matches(name, '^cu(da)?Stream(WaitEvent|WaitValue|BatchMemOp)') THEN 'stream_wait'
        WHEN regexp_matches(name, '^cu(da)?Mem(cpy|set|Prefetch)') THEN 'copy'
        WHEN regexp_matches(
            name,
            '^cu(da)?(Malloc|Free|Host(Alloc|Register|Unregister)|Mem(Alloc|Free|Host|Create|Release|Map|Unmap|SetAccess|Address|Pool))'
        ) THEN 'memory'
        WHEN regexp_matches(
            name,
            '^(cu(da)?(Module|Library|Link)(Load|Unload|Create|Add|Complete|Get)|cu(da)?Kernel(GetFunction|SetAttribute)|nvrtc)'
        ) THEN 'module'
        ELSE 'other'
    END AS family
FROM stems;

CREATE VIEW calls AS
SELECT
    r."start" AS start_ns,
    r."end" AS end_ns,
    pid_of(r.globalTid) AS pid,
    r.globalTid AS global_tid,
    r.correlationId AS correlation_id,
    r.nameId AS name_id,
    coalesce(f.family, 'other') AS family
FROM export.CUPTI_ACTIVITY_KIND_RUNTIME AS r
LEFT JOIN call_families AS f ON f.string_id = r.nameId
WHERE is_interval(r."start", r."end");

COMMENT ON TABLE call_families IS 'what each CUDA API name does';
COMMENT ON COLUMN call_families.string_id IS 'the name as captured, in strings';
COMMENT ON COLUMN call_families.name IS 'the name without its version suffix';
COMMENT ON COLUMN call_families.family IS 'launch, copy, sync, stream_wait, host_function, memory, module or other';
COMMENT ON VIEW calls IS 'CUDA runtime and driver API calls; those that only ask a question (cuKernelGetName, …) are not read';
COMMENT ON COLUMN calls.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN calls.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN calls.pid IS 'process id';
COMMENT ON COLUMN calls.global_tid IS 'thread, in threads';
COMMENT ON COLUMN calls.correlation_id IS 'unique within the process; the op that the call submitted has the same';
COMMENT ON COLUMN calls.name_id IS 'name, in strings';
COMMENT ON COLUMN calls.family IS 'as in call_families';
