-- One row for each call of a thread on a socket: it waits for one, receives or sends. Without the processes with a DataLoader,
-- whose workers send it batches, and without the driver's own thread.
-- reads: loader_threads, os_call_kinds, os_calls, threads, wake_ns
CREATE TABLE socket_calls AS
SELECT
    o.pid,
    o.global_tid,
    o.start_ns,
    o.end_ns,
    k.name,
    k.role IN ('receive', 'accept') AS receives,
    k.role = 'send' AS sends,
    o.end_ns - o.start_ns > wake_ns() AND k.role <> 'send' AS waits,
    CASE WHEN waits THEN o.end_ns ELSE o.start_ns END AS at_ns
FROM os_calls AS o
INNER JOIN os_call_kinds AS k ON k.string_id = o.name_id
LEFT JOIN threads AS t ON t.global_tid = o.global_tid
WHERE
    k.role IN ('send', 'receive', 'poll', 'accept', 'connect')
    AND o.pid NOT IN (SELECT pid FROM loader_threads)
    AND NOT coalesce(regexp_matches(t.name, '^cuda-'), false);

COMMENT ON TABLE socket_calls IS 'calls on sockets, and on what is used like one';
COMMENT ON COLUMN socket_calls.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN socket_calls.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN socket_calls.name IS 'name of the call';
COMMENT ON COLUMN socket_calls.receives IS 'true for a call that receives data or a connection';
COMMENT ON COLUMN socket_calls.sends IS 'true for a call that sends data';
COMMENT ON COLUMN socket_calls.waits IS 'true where it waited';
COMMENT ON COLUMN socket_calls.at_ns IS 'when it does what it is for: its end where it waited, else its start, ns';
