-- One row for each memcpy and each memset.
-- reads: activity_id_of, gpu_of, is_interval, is_size, listed_kinds, pid_of, export.CUPTI_ACTIVITY_KIND_MEMCPY
-- reads: export.CUPTI_ACTIVITY_KIND_MEMSET, export.ENUM_CUDA_MEMCPY_OPER
CREATE TABLE copies AS
SELECT
    activity_id_of('copy', m.rowid) AS activity_id,
    m."start" AS start_ns,
    m."end" AS end_ns,
    gpu_of(m.globalPid, m.deviceId) AS gpu,
    pid_of(m.globalPid) AS pid,
    m.streamId AS stream,
    m.correlationId AS correlation_id,
    CASE WHEN is_size(m.bytes, m."end" - m."start") THEN m.bytes END AS bytes,
    coalesce(k.label, 'Unknown') AS direction,
    coalesce(least(m.srcKind, m.dstKind) = 0, false)
    AND coalesce(k.label, '') IN ('Host-to-Device', 'Device-to-Host') AS pageable
FROM export.CUPTI_ACTIVITY_KIND_MEMCPY AS m
LEFT JOIN listed_kinds('export.ENUM_CUDA_MEMCPY_OPER') AS k ON k.id = m.copyKind
WHERE is_interval(m."start", m."end")
UNION ALL
SELECT
    activity_id_of('memset', m.rowid),
    m."start",
    m."end",
    gpu_of(m.globalPid, m.deviceId),
    pid_of(m.globalPid),
    m.streamId,
    m.correlationId,
    CASE WHEN is_size(m.bytes, m."end" - m."start") THEN m.bytes END,
    'Memset',
    false
FROM export.CUPTI_ACTIVITY_KIND_MEMSET AS m
WHERE is_interval(m."start", m."end");

COMMENT ON TABLE copies IS 'memcpys and memsets';
COMMENT ON COLUMN copies.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN copies.end_ns IS 'GPU end, ns';
COMMENT ON COLUMN copies.pid IS 'process that launched it';
COMMENT ON COLUMN copies.stream IS 'CUDA stream, unique within process and GPU';
COMMENT ON COLUMN copies.bytes IS 'size, bytes; NULL where it is not recorded, or impossible';
COMMENT ON COLUMN copies.direction IS 'Host-to-Device, Device-to-Host, …, from the enum of the export; Memset for a memset';
COMMENT ON COLUMN copies.pageable IS 'true where the host side is pageable memory: such a copy is never asynchronous';
