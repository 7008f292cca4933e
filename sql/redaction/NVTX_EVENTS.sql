-- NVTX events, with their text as it may be shown. Of a Python sample only the frame that is read is kept, of other JSON only
-- that it is there, and of payloads only those of NCCL.
-- reads: nvtx_domains, pid_of, redacted.own_frames, texts.shown, export.NVTX_EVENTS
CREATE VIEW redacted.NVTX_EVENTS AS
SELECT
    e.* EXCLUDE (jsonTextId) REPLACE (
        t.shown AS text,
        CASE WHEN d.name = 'NCCL' THEN e.binaryData END AS binaryData,
        CASE
            WHEN f.file_id IS NOT NULL
                THEN CAST(json_object('Python Periodic Sampling', json_object(
                    'Frames', [json_object('File', f.file_id, 'Function', f.function_id, 'Line', f.line)]
                )) AS VARCHAR)
            WHEN e.jsonText IS NOT NULL OR e.jsonTextId IS NOT NULL THEN '{}'
        END AS jsonText
    )
FROM export.NVTX_EVENTS AS e
LEFT JOIN texts.shown AS t ON t.text = e.text AND t.use <> 'process'
LEFT JOIN redacted.own_frames AS f
    ON f.at_ns = e."start" AND f.global_tid = e.globalTid AND (e.jsonText IS NOT NULL OR e.jsonTextId IS NOT NULL)
LEFT JOIN nvtx_domains AS d ON d.pid = pid_of(e.globalTid) AND d.domain_id = e.domainId
ORDER BY e.rowid;
