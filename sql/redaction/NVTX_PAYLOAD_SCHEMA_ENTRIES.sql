-- The fields of NCCL's payloads. Those of the program are not shared.
-- reads: export.NVTX_PAYLOAD_SCHEMA_ENTRIES
CREATE VIEW redacted.NVTX_PAYLOAD_SCHEMA_ENTRIES AS
SELECT *
FROM export.NVTX_PAYLOAD_SCHEMA_ENTRIES
WHERE name = 'NCCL communicator ID' OR name LIKE 'Message size%' OR name LIKE 'Peer rank%'
ORDER BY rowid;
