-- NVTX events, with their text as it may be shown. Of a Python sample only the frames that are read are kept, of other JSON only
-- that it is there, and of payloads only those of NCCL.
-- reads: nvtx_domains, pid_of, strings, redacted.kept_stacks, texts.shown, export.NVTX_EVENTS
CREATE VIEW redacted.NVTX_EVENTS AS
SELECT
    e.* EXCLUDE (jsonTextId) REPLACE (
        t.shown AS text,
        CASE WHEN d.name = 'NCCL' THEN e.binaryData END AS binaryData,
        CASE
            WHEN k.stack_id IS NOT NULL THEN k.json
            WHEN e.jsonText IS NOT NULL OR e.jsonTextId IS NOT NULL THEN '{}'
        END AS jsonText
    )
FROM export.NVTX_EVENTS AS e
LEFT JOIN texts.shown AS t ON t.text = e.text AND t.use <> 'process'
LEFT JOIN strings AS j ON j.string_id = e.jsonTextId
LEFT JOIN redacted.kept_stacks AS k ON k.stack_id = hash(coalesce(e.jsonText, j.text))
LEFT JOIN nvtx_domains AS d ON d.pid = pid_of(e.globalTid) AND d.domain_id = e.domainId
ORDER BY e.rowid;
