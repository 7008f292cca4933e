-- NVTX events, with their text as it may be shown. Of a Python sample only the frames are kept, of other JSON only that it is
-- there, and of payloads those of NCCL that name a communicator.
-- reads: little_endian, nvtx_domains, payload_fields, pid_of, strings, redacted.kept_stacks, texts.shown, export.NVTX_EVENTS
CREATE VIEW redacted.NVTX_EVENTS AS
SELECT
    e.* EXCLUDE (jsonTextId) REPLACE (
        t.shown AS text,
        CASE
            WHEN
                d.name = 'NCCL' AND octet_length(e.binaryData) >= 40
                AND little_endian(e.binaryData, 8, 8) IN (
                    SELECT schema_id FROM payload_fields WHERE communicator_at IS NOT NULL
                ) THEN e.binaryData
        END AS binaryData,
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
