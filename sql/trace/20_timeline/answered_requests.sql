-- One row for each request that a program answered, from the read of the data that asked to the write of the answer.
--
-- A listening thread is one that receives data from outside of the program: it receives requests and sends answers. Another
-- thread of the process may wake it (asyncio writes to a socket of its own when a worker is done): what it receives soon after
-- that is no request. Where a listening thread only accepts connections, each connection is a request, and other threads answer.
--
-- Nothing in a trace says which answer belongs to which request. So they are matched in their order, between two waits for a
-- request: the sum of the lengths is right in any order. Between two waits there are as many requests as reads, answers or wakes,
-- whichever are the fewest: the others come in several pieces. While those before it are worked on, a request is in the queue.
--
-- Where another process takes the requests of one that launches, its calls tell them, as long as it sleeps between them: under
-- load it reads many at once, and the shortest reads are not recorded. Then much of what is launched lies in none of them.
-- reads: activities, arrivals, client_processes, demand_waits, event_loop_ns, frontends, hand_over_ns, launching_threads
-- reads: socket_calls
CREATE TABLE answered_requests AS
WITH sole_frontends AS (
    SELECT pid, worker_pid
    FROM frontends
    QUALIFY count(*) OVER (PARTITION BY pid) = 1 AND count(*) OVER (PARTITION BY worker_pid) = 1
),

serving AS (
    SELECT pid FROM arrivals
    WHERE pid IN (SELECT pid FROM launching_threads) OR pid IN (SELECT pid FROM sole_frontends)
    EXCEPT
    FROM client_processes
),

-- a thread that works on a connection may wait for the rest of its request: most arrivals of its process are connections then
accepting_threads AS (
    SELECT global_tid FROM socket_calls WHERE receives GROUP BY global_tid HAVING bool_and(starts_with(name, 'accept'))
),

listening AS (
    SELECT a.pid, a.global_tid
    FROM (SELECT pid, global_tid, count(*) AS arrivals FROM arrivals WHERE pid IN (FROM serving) GROUP BY pid, global_tid) AS a
    LEFT JOIN accepting_threads AS t ON t.global_tid = a.global_tid
    WINDOW process AS (PARTITION BY a.pid)
    QUALIFY
        t.global_tid IS NOT NULL
        OR coalesce(sum(CASE WHEN t.global_tid IS NOT NULL THEN a.arrivals END) OVER process, 0)
        < 0.5 * sum(a.arrivals) OVER process
),

-- where the listening threads use send, their writes are those of a log
sent AS (
    SELECT
        s.pid,
        l.pid IS NOT NULL AS by_listener,
        s.start_ns,
        s.end_ns,
        s.then_receives,
        starts_with(s.name, 'send') AS to_socket,
        bool_or(starts_with(s.name, 'send')) OVER (PARTITION BY s.pid, l.pid IS NOT NULL) AS any_to_socket
    FROM (
        SELECT *, coalesce(lead(receives) OVER (PARTITION BY global_tid ORDER BY start_ns, end_ns), false) AS then_receives
        FROM socket_calls
        WHERE pid IN (FROM serving)
    ) AS s
    LEFT JOIN listening AS l ON l.pid = s.pid AND l.global_tid = s.global_tid
    WHERE s.sends
),

messages AS (
    SELECT *, avg(CAST(by_listener AS INTEGER)) OVER (PARTITION BY pid) >= 0.5 AS listeners_send
    FROM sent
    WHERE to_socket OR NOT any_to_socket
),

woken_workers AS (
    SELECT pid, start_ns, end_ns FROM socket_calls WHERE waits AND global_tid NOT IN (SELECT global_tid FROM listening)
),

-- what wakes another thread of the process is no answer, but hands work to it
answers AS (
    SELECT m.pid, m.start_ns, m.end_ns
    FROM (SELECT * FROM messages WHERE by_listener OR NOT listeners_send) AS m
    ASOF LEFT JOIN woken_workers AS w ON w.pid = m.pid AND m.start_ns <= w.end_ns
    WHERE NOT coalesce(m.by_listener AND w.start_ns < m.start_ns AND w.end_ns - m.start_ns <= hand_over_ns(), false)
),

-- a worker whose next call receives has sent to whom it then receives from, and woke no listening thread
wakers AS (
    SELECT pid, start_ns FROM messages WHERE NOT by_listener AND listeners_send AND NOT then_receives
),

accepting AS (
    SELECT pid FROM listening GROUP BY pid HAVING bool_and(global_tid IN (SELECT global_tid FROM accepting_threads))
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
    INNER JOIN listening AS l ON l.pid = c.pid AND l.global_tid = c.global_tid
    LEFT JOIN arrivals AS a ON a.global_tid = c.global_tid AND a.at_ns = c.at_ns
    WHERE (c.receives OR c.waits) AND (NOT starts_with(c.name, 'accept') OR c.pid IN (FROM accepting))
    WINDOW thread AS (PARTITION BY c.global_tid ORDER BY c.start_ns, c.end_ns)
    QUALIFY c.receives
),

woken AS (
    SELECT DISTINCT r.pid, r.global_tid, r.at_ns
    FROM wakers AS w
    ASOF INNER JOIN received AS r ON r.pid = w.pid AND w.start_ns <= r.at_ns
    WHERE r.at_ns - w.start_ns < event_loop_ns()
),

-- a read within 50 us of another one finds that there is no more; one that waits, and not after a wait for a socket, reads a pipe
asked AS (
    SELECT r.pid, r.at_ns
    FROM received AS r
    ANTI JOIN woken AS w ON w.pid = r.pid AND w.global_tid = r.global_tid AND w.at_ns = r.at_ns
    WHERE NOT r.in_pipe AND NOT coalesce(r.after_receive AND r.at_ns - r.last_end_ns < 50000, false)
),

-- an answer belongs to where its work was done: a worker may wait again before the answer is sent
answered AS (
    SELECT
        a.pid,
        a.end_ns AS at_ns,
        CASE
            WHEN w.pid IS NULL THEN a.end_ns
            ELSE greatest(w.start_ns, lag(a.end_ns) OVER (PARTITION BY a.pid ORDER BY a.end_ns))
        END AS done_ns
    FROM answers AS a
    ASOF LEFT JOIN wakers AS w ON w.pid = a.pid AND a.start_ns >= w.start_ns
),

waking AS (
    SELECT w.pid, min(a.at_ns) AS from_ns
    FROM (
        SELECT coalesce(f.pid, d.pid) AS pid, d.start_ns
        FROM demand_waits AS d
        LEFT JOIN sole_frontends AS f ON f.worker_pid = d.pid
    ) AS w
    ASOF INNER JOIN asked AS a ON a.pid = w.pid AND w.start_ns <= a.at_ns
    GROUP BY w.pid, a.at_ns
),

events AS (
    SELECT pid, 'ask' AS kind, at_ns, at_ns AS done_ns FROM asked
    UNION ALL
    SELECT pid, 'answer', at_ns, done_ns FROM answered
    UNION ALL
    SELECT pid, 'wake', start_ns, start_ns FROM wakers
),

placed AS (
    SELECT e.pid, e.kind, e.at_ns, coalesce(w.from_ns, 0) AS from_ns
    FROM events AS e
    ASOF LEFT JOIN waking AS w ON w.pid = e.pid AND e.done_ns >= w.from_ns
),

numbered AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY pid, from_ns, kind ORDER BY at_ns) AS place,
        count(*) OVER (PARTITION BY pid, from_ns, kind) AS pieces,
        least(
            count(CASE WHEN kind = 'ask' THEN 1 END) OVER between_waits,
            count(CASE WHEN kind = 'answer' THEN 1 END) OVER between_waits,
            nullif(count(CASE WHEN kind = 'wake' THEN 1 END) OVER between_waits, 0)
        ) AS requests
    FROM placed
    WINDOW between_waits AS (PARTITION BY pid, from_ns)
),

-- of n requests, the i-th comes with the read that begins its share of the reads, and ends with the write that ends its own
grouped AS (
    SELECT pid, from_ns, kind, at_ns, ceil(place * requests / pieces) AS request FROM numbered WHERE requests > 0
),

matched AS (
    SELECT
        pid,
        min(CASE WHEN kind = 'ask' THEN at_ns END) AS arrived_ns,
        max(CASE WHEN kind = 'answer' THEN at_ns END) AS end_ns
    FROM grouped
    GROUP BY pid, from_ns, request
),

-- where many answers come before what asked for them, too many reads are pieces of a request to tell which
in_order AS (
    SELECT * FROM matched
    WINDOW process AS (PARTITION BY pid)
    QUALIFY end_ns > arrived_ns AND count_if(end_ns > arrived_ns) OVER process >= 0.9 * count(*) OVER process
),

followed AS (
    SELECT
        coalesce(f.worker_pid, m.pid) AS pid,
        f.pid IS NOT NULL AS by_frontend,
        m.arrived_ns,
        least(m.end_ns, greatest(m.arrived_ns, lag(m.end_ns) OVER (PARTITION BY m.pid ORDER BY m.end_ns, m.arrived_ns)))
            AS start_ns,
        m.end_ns
    FROM in_order AS m
    LEFT JOIN sole_frontends AS f ON f.pid = m.pid
),

missed AS (
    SELECT a.pid
    FROM (SELECT pid, launch_start_ns FROM activities WHERE pid IN (SELECT pid FROM followed WHERE by_frontend)) AS a
    ASOF LEFT JOIN followed AS r ON r.pid = a.pid AND a.launch_start_ns >= r.start_ns
    GROUP BY a.pid
    HAVING count_if(a.launch_start_ns < r.end_ns) < 0.9 * count(*)
)

SELECT pid, arrived_ns, start_ns, end_ns FROM followed WHERE pid NOT IN (FROM missed);

COMMENT ON TABLE answered_requests IS 'requests that a program answered; empty where it serves none';
COMMENT ON COLUMN answered_requests.pid IS 'process that answered it, or that did the work where another one takes the requests';
COMMENT ON COLUMN answered_requests.arrived_ns IS 'CPU time at which it was read, ns since the session began';
COMMENT ON COLUMN answered_requests.start_ns IS 'from when on it was worked on: the end of the request before it, if that was later, ns';
COMMENT ON COLUMN answered_requests.end_ns IS 'CPU time at which its answer was sent, ns';
