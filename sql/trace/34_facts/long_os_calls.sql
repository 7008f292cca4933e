-- OS calls that take long enough to ask what they wait for, with their names.
-- reads: long_wait_ns, os_call_kinds, os_calls
CREATE VIEW long_os_calls AS
SELECT o.pid, o.global_tid, o.start_ns, o.end_ns, k.name, k.kind
FROM os_calls AS o
INNER JOIN os_call_kinds AS k ON k.string_id = o.name_id
WHERE o.end_ns - o.start_ns >= long_wait_ns();

COMMENT ON VIEW long_os_calls IS 'OS calls of 1 ms or longer';
COMMENT ON COLUMN long_os_calls.global_tid IS 'the thread that makes it, in threads';
COMMENT ON COLUMN long_os_calls.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN long_os_calls.end_ns IS 'CPU end, ns';
