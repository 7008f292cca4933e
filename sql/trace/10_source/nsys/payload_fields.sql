-- One row for each schema of NVTX payloads: at which byte the fields of NCCL stand.
-- reads: export.NVTX_PAYLOAD_SCHEMA_ENTRIES
CREATE VIEW payload_fields AS
SELECT
    schemaId AS schema_id,
    min(coalesce("offset", 0)) FILTER (WHERE name = 'NCCL communicator ID') AS communicator_at,
    min(coalesce("offset", 0)) FILTER (WHERE name LIKE 'Message size%') AS bytes_at,
    min(coalesce("offset", 0)) FILTER (WHERE name LIKE 'Peer rank%') AS peer_at
FROM export.NVTX_PAYLOAD_SCHEMA_ENTRIES
WHERE coalesce("offset", 0) >= 0
GROUP BY schemaId;

COMMENT ON VIEW payload_fields IS 'where the fields of NCCL stand in a binary NVTX payload';
COMMENT ON COLUMN payload_fields.schema_id IS 'id of the payload''s schema';
COMMENT ON COLUMN payload_fields.communicator_at IS 'offset of the communicator''s id in the data, bytes';
COMMENT ON COLUMN payload_fields.bytes_at IS 'offset of the message''s size, bytes';
COMMENT ON COLUMN payload_fields.peer_at IS 'offset of the peer''s rank, bytes';
