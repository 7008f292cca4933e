-- One row for each call in which a thread waits for what another process or thread sends it: a read, or a wait for something to
-- read, as with a queue of Python's multiprocessing that is asked with a timeout.
-- reads: os_call_kinds, os_calls
CREATE VIEW message_waits AS
SELECT pid, global_tid, start_ns, end_ns
FROM os_calls
WHERE
    name_id IN (
        SELECT string_id
        FROM os_call_kinds
        WHERE regexp_matches(name, '^((read|recv(from|msg)?)v?|p?poll|p?select|epoll_p?wait2?)$')
    );

COMMENT ON VIEW message_waits IS 'calls in which a thread waits for what another process or thread sends it';
COMMENT ON COLUMN message_waits.pid IS 'process id';
COMMENT ON COLUMN message_waits.global_tid IS 'thread, in threads';
COMMENT ON COLUMN message_waits.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN message_waits.end_ns IS 'CPU end, ns';
