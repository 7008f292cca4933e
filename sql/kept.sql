-- What a conversion keeps of texts and payloads: the strings that rows refer to, the frames of Python samples, and the payloads of
-- NCCL's ranges. An export has others: what the program printed, messages of the profiler, names of the machine.
CREATE TEMP VIEW used_strings AS
WITH samples AS (
    SELECT coalesce(e.jsonText, s.value) AS frames
    FROM export.NVTX_EVENTS AS e
    LEFT JOIN export.StringIds AS s ON s.id = e.jsonTextId
    WHERE json_valid(coalesce(e.jsonText, s.value))
)

SELECT nameId AS id FROM export.CUPTI_ACTIVITY_KIND_RUNTIME
UNION SELECT nameId FROM export.OSRT_API
UNION SELECT nameId FROM export.PROFILER_OVERHEAD
UNION SELECT nameId FROM export.ThreadNames
UNION SELECT shortName FROM export.CUPTI_ACTIVITY_KIND_KERNEL
UNION SELECT textId FROM export.NVTX_EVENTS
UNION SELECT jsonTextId FROM export.NVTX_EVENTS
UNION SELECT TRY_CAST(unnest(json_extract(frames, '$."Python Periodic Sampling".Frames[*].File')) AS BIGINT) FROM samples
UNION SELECT TRY_CAST(unnest(json_extract(frames, '$."Python Periodic Sampling".Frames[*].Function')) AS BIGINT) FROM samples;

-- Rows that are deleted stay in the file; those of a table that is replaced before it was written never get there.
CREATE OR REPLACE TABLE export.StringIds AS
SELECT s.id, s.value
FROM export.StringIds AS s
WHERE s.id IN (SELECT id FROM used_strings)
ORDER BY s.rowid;

DROP VIEW used_strings;

CREATE OR REPLACE TABLE export.NVTX_EVENTS AS
SELECT e.* REPLACE (CASE WHEN d.name = 'NCCL' THEN e.binaryData END AS binaryData)
FROM export.NVTX_EVENTS AS e
LEFT JOIN nvtx_domains AS d ON d.pid = pid_of(e.globalTid) AND d.domain_id = e.domainId
ORDER BY e.rowid;
