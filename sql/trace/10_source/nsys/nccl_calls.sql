-- One row for each call of NCCL that moves data, as NCCL itself marks it in an NVTX domain. Communicator, size and peer are in
-- a binary payload: a header (at byte 8 the id of the schema, at byte 24 the place where the data begins), then the data. The
-- export has payloads only with --include-blobs=true; without them a call has only a name and times.
-- reads: is_interval, little_endian, nvtx_domains, payload_fields, pid_of, strings, export.NVTX_EVENTS
CREATE VIEW nccl_calls AS
WITH marked AS (
    SELECT
        e."start" AS start_ns,
        e."end" AS end_ns,
        e.globalTid AS global_tid,
        substr(coalesce(e.text, s.text), 5) AS name,
        CASE WHEN octet_length(e.binaryData) >= 40 THEN e.binaryData END AS payload
    FROM export.NVTX_EVENTS AS e
    INNER JOIN nvtx_domains AS d ON d.pid = pid_of(e.globalTid) AND d.domain_id = e.domainId AND d.name = 'NCCL'
    LEFT JOIN strings AS s ON s.string_id = e.textId
    WHERE
        is_interval(e."start", e."end")
        AND regexp_matches(
            coalesce(e.text, s.text), '^nccl(All|Reduce|Broadcast|Bcast|Send|Recv|Gather|Scatter|AlltoAll)'
        )
),

opened AS (
    SELECT *, little_endian(payload, 8, 8) AS schema_id, little_endian(payload, 24, 8) AS data_at FROM marked
)

SELECT
    o.start_ns,
    o.end_ns,
    pid_of(o.global_tid) AS pid,
    o.global_tid,
    o.name,
    CASE
        WHEN f.communicator_at IS NOT NULL AND octet_length(o.payload) >= o.data_at + f.communicator_at + 8
            THEN printf('%x', little_endian(o.payload, o.data_at + f.communicator_at, 8))
    END AS communicator,
    CASE
        -- a message fits into the memory of a GPU
        WHEN
            f.bytes_at IS NOT NULL AND octet_length(o.payload) >= o.data_at + f.bytes_at + 8
            AND little_endian(o.payload, o.data_at + f.bytes_at, 8) < 8e12
            THEN CAST(little_endian(o.payload, o.data_at + f.bytes_at, 8) AS BIGINT)
    END AS bytes,
    CASE
        WHEN f.peer_at IS NOT NULL AND octet_length(o.payload) >= o.data_at + f.peer_at + 4
            THEN TRY_CAST(little_endian(o.payload, o.data_at + f.peer_at, 4) AS INTEGER)
    END AS peer
FROM opened AS o
LEFT JOIN payload_fields AS f ON f.schema_id = o.schema_id;

COMMENT ON VIEW nccl_calls IS 'calls of NCCL that move data, as NCCL marks them';
COMMENT ON COLUMN nccl_calls.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN nccl_calls.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN nccl_calls.name IS 'AllReduce, AllGather, ReduceScatter, Send, …';
COMMENT ON COLUMN nccl_calls.communicator IS 'id of the communicator, the same on all its ranks; NULL without the payload';
COMMENT ON COLUMN nccl_calls.bytes IS 'size of the message of one rank, as NCCL counts it; NULL without the payload';
COMMENT ON COLUMN nccl_calls.peer IS 'of a Send or Recv the other rank; NULL without the payload';
