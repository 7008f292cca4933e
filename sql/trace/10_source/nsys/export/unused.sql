-- Removes from a loaded export what no relation reads, before a conversion is made of it. It keeps the strings that rows refer
-- to, the full names of the kernels of optimizers and DeepEP, the frames of samples, the payloads of NCCL's ranges, and that nsys
-- lost events. What goes: what the program printed, other messages of the profiler, names of the machine, and all other texts.
CREATE TEMP VIEW texts AS
SELECT id, min(value) AS value FROM export.StringIds GROUP BY id;

CREATE TEMP VIEW used_strings AS
WITH samples AS (
    SELECT coalesce(e.jsonText, s.value) AS frames
    FROM export.NVTX_EVENTS AS e
    LEFT JOIN texts AS s ON s.id = e.jsonTextId
    WHERE json_valid(coalesce(e.jsonText, s.value))
)

SELECT nameId AS id FROM export.CUPTI_ACTIVITY_KIND_RUNTIME
UNION
SELECT nameId FROM export.OSRT_API
UNION
SELECT nameId FROM export.PROFILER_OVERHEAD
UNION
SELECT nameId FROM export.CUPTI_ACTIVITY_KIND_OVERHEAD
UNION
SELECT nameId FROM export.CUPTI_ACTIVITY_KIND_JIT
UNION
SELECT nameId FROM export.ThreadNames
UNION
SELECT shortName FROM export.CUPTI_ACTIVITY_KIND_KERNEL
UNION
SELECT CpuInstruction FROM export.CUDA_UM_CPU_PAGE_FAULT_EVENTS
UNION
SELECT module FROM export.CUDA_UM_CPU_PAGE_FAULT_EVENTS
UNION
SELECT module FROM export.SAMPLING_CALLCHAINS
UNION
SELECT symbol FROM export.SAMPLING_CALLCHAINS
UNION
SELECT id FROM export.StringIds
WHERE contains(value, 'multi_tensor_apply') OR regexp_matches(value, '\bint(er|ra)node(_ll)?::')
UNION
SELECT textId FROM export.NVTX_EVENTS
UNION
SELECT jsonTextId FROM export.NVTX_EVENTS
UNION
SELECT TRY_CAST(unnest(json_extract(frames, '$."Python Periodic Sampling".Frames[*].File')) AS BIGINT) FROM samples
UNION
SELECT TRY_CAST(unnest(json_extract(frames, '$."Python Periodic Sampling".Frames[*].Function')) AS BIGINT) FROM samples;

UPDATE export.DIAGNOSTIC_EVENT SET text = NULL WHERE NOT text LIKE 'Error when processing events%';

DELETE FROM export.StringIds WHERE NOT coalesce(id IN (FROM used_strings), false);

DROP VIEW used_strings;

UPDATE export.NVTX_EVENTS SET binaryData = NULL
WHERE
    binaryData IS NOT NULL
    AND (globalTid >> 24, domainId) NOT IN (
        SELECT (e.globalTid >> 24, e.domainId)
        FROM export.NVTX_EVENTS AS e
        LEFT JOIN texts AS s ON s.id = e.textId
        WHERE
            -- as in is_nvtx
            (e.eventType = 75 OR e.eventType IN (SELECT id FROM export.ENUM_NSYS_EVENT_TYPE WHERE name = 'NvtxDomainCreate'))
            AND coalesce(e.text, s.value) = 'NCCL'
    );

DROP VIEW texts;
