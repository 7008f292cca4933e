-- One row for each name of a CUDA API call: what such a call does. Names carry suffixes of versions and of the default stream
-- (cudaStreamSynchronize_ptsz_v7000, cuLaunchKernel_ptsz), and new variants appear (cudaLaunchKernelExC_v11060), so the beginning
-- of the name decides.
-- reads: strings
CREATE TABLE call_families AS
WITH stems AS (
    SELECT string_id, regexp_replace(text, '(_v[0-9]+|_ptsz|_ptds)+$', '') AS name
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
        WHEN regexp_matches(name, '^cu(da)?(Event|Stream)Query') THEN 'query'
        WHEN regexp_matches(name, '^cu(da)?Stream(WaitEvent|WaitValue|BatchMemOp)') THEN 'stream_wait'
        WHEN regexp_matches(name, '^cu(da)?Mem(cpy|set)') THEN 'copy'
        WHEN regexp_matches(name, '^cu(da)?Mem(Prefetch|Advise|Discard)') THEN 'migration'
        WHEN regexp_matches(
            name,
            '^cu(da)?(Malloc|Free|Host(Alloc|Register|Unregister)'
            || '|Mem(Alloc|Free|Host|Create|Release|Map|Unmap|SetAccess|Address|Pool))'
        ) THEN 'memory'
        WHEN regexp_matches(
            name,
            '^(cu(da)?(Module|Library|Link)(Load|Unload|Create|Add|Complete|Get)|cu(da)?Kernel(GetFunction|SetAttribute))'
        ) THEN 'module'
        ELSE 'other'
    END AS family
FROM stems;

COMMENT ON TABLE call_families IS 'what each CUDA API name does';
COMMENT ON COLUMN call_families.string_id IS 'the name as captured, in strings';
COMMENT ON COLUMN call_families.name IS 'the name without its version suffix';
COMMENT ON COLUMN call_families.family IS 'launch, copy, sync, query (asks whether the GPU is done), stream_wait, host_function, memory, migration (of pages of managed memory), module or other';
