-- One row for each time at which data came from outside to a thread that waited for it: a call that receives right after the
-- thread waited for a socket, or waited in that call itself. What processes of one program send each other is left out: Python's
-- queues between processes poll, then read a pipe, and torch's tensors come with recvmsg. Event loops that serve wait in epoll,
-- and may let another thread receive, as gRPC does; what another thread of the process sent right before only wakes them. And
-- what comes to a process that trains is its input. Ranks of a job ask and answer each other before they communicate, through
-- threads of NCCL, of PyTorch's store and of torchrun: these are left out by their names, and where they have none, half of what
-- comes follows a message of a rank. NCCL also asks for connections again and again, a million times in a second, and some of
-- these calls take longer: so soon after another one, nobody has been accepted.
-- reads: activities, event_loop_ns, hand_over_ns, socket_calls, threads, training_processes, wake_ns
CREATE TABLE arrivals AS
WITH followed AS (
    SELECT
        *,
        lag(CASE WHEN waits AND NOT receives THEN name END) OVER thread AS waited_in,
        lag(end_ns) OVER thread AS woken_ns,
        starts_with(name, 'accept') AND lag(name) OVER thread = name AND start_ns - woken_ns < wake_ns() AS asks_again
    FROM socket_calls
    WHERE
        (waits OR receives) AND name <> 'connect' AND pid NOT IN (FROM training_processes)
        AND global_tid NOT IN (SELECT global_tid FROM threads WHERE regexp_matches(name, '^pt_(elastic|tcpstore|nccl)'))
    WINDOW thread AS (PARTITION BY global_tid ORDER BY start_ns, end_ns)
),

event_loops AS (
    SELECT pid, end_ns AS woken_ns FROM socket_calls WHERE starts_with(name, 'epoll')
),

received AS (
    SELECT pid, global_tid, at_ns
    FROM followed
    WHERE
        (waits AND regexp_matches(name, '^(recv(from)?|accept4?)$') AND asks_again IS NOT true)
        OR (
            receives AND start_ns - woken_ns < event_loop_ns()
            AND (starts_with(waited_in, 'epoll') OR (waited_in IS NOT NULL AND regexp_matches(name, '^(recv(from)?|accept4?)$')))
        )
    UNION
    SELECT f.pid, f.global_tid, f.at_ns
    FROM followed AS f
    ASOF INNER JOIN event_loops AS e ON e.pid = f.pid AND f.start_ns >= e.woken_ns
    WHERE starts_with(f.name, 'recv') AND f.start_ns - e.woken_ns < event_loop_ns()
),

from_outside AS (
    SELECT r.pid, r.global_tid, r.at_ns
    FROM received AS r
    ASOF LEFT JOIN (SELECT pid, global_tid, start_ns FROM socket_calls WHERE sends) AS s
        ON s.pid = r.pid AND r.at_ns >= s.start_ns
    WHERE s.pid IS NULL OR s.global_tid = r.global_tid OR r.at_ns - s.start_ns > hand_over_ns()
),

ranks AS (
    SELECT DISTINCT pid FROM activities WHERE kind = 'communication'
),

sent AS (
    SELECT end_ns AS sent_ns FROM socket_calls WHERE sends AND pid IN (FROM ranks)
),

asking_themselves AS (
    SELECT r.pid
    FROM from_outside AS r
    ASOF LEFT JOIN sent AS s ON r.at_ns >= s.sent_ns
    WHERE r.pid IN (FROM ranks)
    GROUP BY r.pid
    HAVING count(CASE WHEN r.at_ns - s.sent_ns < event_loop_ns() THEN 1 END) >= 0.5 * count(*)
)

SELECT pid, global_tid, at_ns FROM from_outside WHERE pid NOT IN (FROM asking_themselves);

COMMENT ON TABLE arrivals IS 'when data came from outside to a thread that waited for it';
COMMENT ON COLUMN arrivals.global_tid IS 'the thread that received it, in threads';
COMMENT ON COLUMN arrivals.at_ns IS 'CPU time at which it read the data, ns since the session began';
