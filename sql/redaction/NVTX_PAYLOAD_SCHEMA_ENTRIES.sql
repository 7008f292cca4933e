-- The fields of NCCL's payloads, by the names that are looked for. Those of the program are not shared.
-- reads: export.NVTX_PAYLOAD_SCHEMA_ENTRIES
CREATE VIEW redacted.NVTX_PAYLOAD_SCHEMA_ENTRIES AS
SELECT
    * REPLACE (
        CASE
            WHEN name LIKE 'Message size%' THEN 'Message size [bytes]' WHEN name LIKE 'Peer rank%' THEN 'Peer rank' ELSE name
        END AS name
    )
FROM export.NVTX_PAYLOAD_SCHEMA_ENTRIES
WHERE name = 'NCCL communicator ID' OR name LIKE 'Message size%' OR name LIKE 'Peer rank%'
ORDER BY rowid;
