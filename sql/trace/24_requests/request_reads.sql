-- One row for each read of a listening thread that brings a request, or a piece of one. A read brings none soon after another
-- thread of the process woke the listening one: it is the wake that is read. Where the threads
-- that read requests also answer them, their answers tell which reads belong together.
-- reads: arrivals, event_loop_ns, handled_requests, listening_threads, server_messages, socket_calls
CREATE TABLE request_reads AS
WITH accepting AS (
    SELECT pid FROM listening_threads GROUP BY pid HAVING bool_and(accepts)
),

received AS (
    SELECT
        c.pid,
        c.global_tid,
        c.at_ns,
        c.waits AND starts_with(c.name, 'read') AND a.at_ns IS NULL AS in_pipe,
        lag(c.end_ns) OVER thread AS last_end_ns,
        lag(c.receives) OVER thread AS after_receive
    FROM socket_calls AS c
    INNER JOIN listening_threads AS l ON l.pid = c.pid AND l.global_tid = c.global_tid
    LEFT JOIN arrivals AS a ON a.global_tid = c.global_tid AND a.at_ns = c.at_ns
    WHERE (c.receives OR c.waits) AND (NOT starts_with(c.name, 'accept') OR c.pid IN (FROM accepting))
    WINDOW thread AS (PARTITION BY c.global_tid ORDER BY c.start_ns, c.end_ns)
    QUALIFY c.receives
),

woken AS (
    SELECT DISTINCT r.pid, r.global_tid, r.at_ns
    FROM (SELECT * FROM server_messages WHERE kind = 'wake') AS w
    ASOF INNER JOIN received AS r ON r.pid = w.pid AND w.start_ns <= r.at_ns
    WHERE r.at_ns - w.start_ns < event_loop_ns()
)

-- A read within 50 us of another one finds that there is no more. A read() that blocks, with no wait for a socket before it, is
-- of a pipe.
SELECT r.pid, r.at_ns
FROM received AS r
ANTI JOIN woken AS w ON w.pid = r.pid AND w.global_tid = r.global_tid AND w.at_ns = r.at_ns
WHERE
    NOT r.in_pipe AND NOT coalesce(r.after_receive AND r.at_ns - r.last_end_ns < 50000, false)
    AND (r.pid IN (FROM accepting) OR r.pid NOT IN (SELECT pid FROM handled_requests))
UNION ALL
SELECT pid, read_ns FROM handled_requests WHERE pid NOT IN (FROM accepting);

COMMENT ON TABLE request_reads IS 'reads that bring requests, or pieces of them';
COMMENT ON COLUMN request_reads.at_ns IS 'CPU time of the read, ns since the session began';
