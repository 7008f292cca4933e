-- One row for each time at which data came from outside to a thread that waited for it: a call that receives right after the
-- thread waited for a socket, or waited in that call itself. What processes of one program send each other is left out: Python's
-- queues between processes poll, then read a pipe, and torch's tensors come with recvmsg. Event loops that serve wait in epoll.
-- And what comes to a process that trains is its input.
-- reads: event_loop_ns, socket_calls, training_processes
CREATE TABLE arrivals AS
WITH followed AS (
    SELECT *, lag(CASE WHEN waits AND NOT receives THEN name END) OVER thread AS waited_in, lag(end_ns) OVER thread AS woken_ns
    FROM socket_calls
    WHERE (waits OR receives) AND name <> 'connect' AND pid NOT IN (FROM training_processes)
    WINDOW thread AS (PARTITION BY global_tid ORDER BY start_ns, end_ns)
)

SELECT pid, global_tid, at_ns
FROM followed
WHERE
    (waits AND regexp_matches(name, '^(recv(from)?|accept4?)$'))
    OR (
        receives AND start_ns - woken_ns < event_loop_ns()
        AND (starts_with(waited_in, 'epoll') OR (waited_in IS NOT NULL AND regexp_matches(name, '^(recv(from)?|accept4?)$')))
    );

COMMENT ON TABLE arrivals IS 'when data came from outside to a thread that waited for it';
COMMENT ON COLUMN arrivals.pid IS 'process id';
COMMENT ON COLUMN arrivals.global_tid IS 'the thread that received it, in threads';
COMMENT ON COLUMN arrivals.at_ns IS 'CPU time at which it read the data, ns since the session began';
