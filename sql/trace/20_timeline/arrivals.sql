-- One row for each time at which data came from outside to a thread that waited for it: a call that receives right after the
-- thread waited for a socket, or waited in that call itself. The driver's own thread is left out, and so is what processes of one
-- program send each other: Python's queues between processes poll, then read a pipe, and torch's tensors come with recvmsg.
-- Event loops that serve wait in epoll. A process with a DataLoader is none that serves.
--
-- 20 us: waking a thread takes longer, so a shorter call did not wait. 2 ms: an event loop of Python reads 0.5 to 0.7 ms after it
-- woke (serve20).
-- reads: launching_threads, loader_threads, os_call_kinds, os_calls, threads
CREATE TABLE arrivals AS
WITH socket_calls AS (
    SELECT
        o.pid,
        o.global_tid,
        o.start_ns,
        o.end_ns,
        k.name,
        regexp_matches(k.name, '^(recv|read|accept)') AS receives,
        o.end_ns - o.start_ns > 20000 AS waits
    FROM os_calls AS o
    INNER JOIN os_call_kinds AS k ON k.string_id = o.name_id
    LEFT JOIN threads AS t ON t.global_tid = o.global_tid
    WHERE
        regexp_matches(k.name, '^(epoll_p?wait2?|p?poll|p?select|recv(from|msg|mmsg)?|readv?|accept4?)$')
        AND o.pid IN (SELECT pid FROM launching_threads) AND o.pid NOT IN (SELECT pid FROM loader_threads)
        AND NOT coalesce(starts_with(t.name, 'cuda-'), false)
),

followed AS (
    SELECT *, lag(CASE WHEN waits AND NOT receives THEN name END) OVER thread AS waited_in, lag(end_ns) OVER thread AS woken_ns
    FROM socket_calls
    WHERE waits OR receives
    WINDOW thread AS (PARTITION BY global_tid ORDER BY start_ns, end_ns)
)

SELECT pid, global_tid, CASE WHEN waits THEN end_ns ELSE start_ns END AS at_ns
FROM followed
WHERE
    (waits AND regexp_matches(name, '^(recv(from)?|accept4?)$'))
    OR (
        receives AND start_ns - woken_ns < 2000000
        AND (starts_with(waited_in, 'epoll') OR (waited_in IS NOT NULL AND regexp_matches(name, '^(recv(from)?|accept4?)$')))
    );

COMMENT ON TABLE arrivals IS 'when data came from outside to a thread that waited for it';
COMMENT ON COLUMN arrivals.pid IS 'process id';
COMMENT ON COLUMN arrivals.global_tid IS 'the thread that received it, in threads';
COMMENT ON COLUMN arrivals.at_ns IS 'CPU time at which it read the data, ns since the session began';
