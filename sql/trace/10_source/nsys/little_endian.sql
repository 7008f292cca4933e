-- Calls of NCCL that move data, which NCCL itself marks in an NVTX domain. Communicator, size and peer are in a binary payload:
-- a header (at byte 8 the id of the schema, at 24 where the data begins), then the data. The export has payloads only with
-- --include-blobs=true; without them the calls have a name and a time.
CREATE MACRO little_endian(bytes_, first, length) AS
TRY_CAST(
    '0x' || list_aggregate(
        list_transform(range(length), lambda place: substr(hex(bytes_), CAST(2 * (first + length - 1 - place) + 1 AS BIGINT), 2)),
        'string_agg', ''
    ) AS UBIGINT
);
