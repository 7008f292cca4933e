-- One row for each call into the operating system that was recorded.
-- reads: is_interval, os_call_kinds, pid_of, export.OSRT_API
CREATE VIEW os_calls AS
SELECT
    o."start" AS start_ns,
    o."end" AS end_ns,
    pid_of(o.globalTid) AS pid,
    o.globalTid AS global_tid,
    o.nameId AS name_id,
    k.kind
FROM export.OSRT_API AS o
LEFT JOIN os_call_kinds AS k ON k.string_id = o.nameId
WHERE is_interval(o."start", o."end");

COMMENT ON VIEW os_calls IS 'calls into the operating system; Nsight Systems leaves out the shortest';
COMMENT ON COLUMN os_calls.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN os_calls.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN os_calls.name_id IS 'name, in strings';
