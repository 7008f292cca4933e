-- Macro `little_endian`: the number in `length` bytes of a binary value, from byte `first` on, the lowest byte first.
CREATE MACRO little_endian(bytes_, first, length) AS
TRY_CAST(
    '0x' || list_aggregate(
        list_transform(range(length), LAMBDA place: substr(hex(bytes_), CAST(2 * (first + length - 1 - place) + 1 AS BIGINT), 2)),
        'string_agg', ''
    ) AS UBIGINT
);
