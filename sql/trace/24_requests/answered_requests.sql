-- One row for each request that a program answered, from the read of the data that asked to the write of the answer.
--
-- Nothing in a trace says which answer belongs to which request. So they are matched in their order, between two waits for a
-- request: the sum of the lengths is right in any order. Between two waits there are as many requests as reads, answers or wakes,
-- whichever are the fewest: the others come in several pieces. Where a thread answers what it reads, it tells which answer
-- belongs to its read. Then only the connections that another thread accepts are matched, in the order of these reads.
--
-- A request is in the queue while those that arrived before it are worked on. One that is answered before them has no time of
-- its own: the server is busy with them all the while.
--
-- Where another process takes the requests of one that launches, its calls tell them, as long as it sleeps between them: under
-- load it reads many at once, and the shortest reads are not recorded. Then much of what is launched lies in none of them.
-- reads: activities, demand_waits, handled_requests, request_reads, server_messages, sole_frontends
CREATE TABLE answered_requests AS
WITH answers AS (
    SELECT * FROM server_messages WHERE kind = 'answer' AND pid NOT IN (SELECT pid FROM handled_requests)
),

wakers AS (
    SELECT * FROM server_messages WHERE kind = 'wake' AND pid NOT IN (SELECT pid FROM handled_requests)
),

-- an answer belongs to where its work was done: a worker may wait again before the answer is sent
answered AS (
    SELECT
        a.pid,
        a.end_ns AS at_ns,
        a.end_ns,
        CASE
            WHEN w.pid IS NULL THEN a.end_ns
            ELSE greatest(w.start_ns, lag(a.end_ns) OVER (PARTITION BY a.pid ORDER BY a.end_ns))
        END AS done_ns
    FROM answers AS a
    ASOF LEFT JOIN wakers AS w ON w.pid = a.pid AND a.start_ns >= w.start_ns
    UNION ALL
    SELECT pid, read_ns, end_ns, read_ns FROM handled_requests
),

waking AS (
    SELECT w.pid, min(a.at_ns) AS from_ns
    FROM (
        SELECT coalesce(f.pid, d.pid) AS pid, d.start_ns
        FROM demand_waits AS d
        LEFT JOIN sole_frontends AS f ON f.worker_pid = d.pid
    ) AS w
    ASOF INNER JOIN request_reads AS a ON a.pid = w.pid AND w.start_ns <= a.at_ns
    GROUP BY w.pid, a.at_ns
),

events AS (
    SELECT pid, 'ask' AS kind, at_ns, NULL AS end_ns, at_ns AS done_ns FROM request_reads
    UNION ALL
    SELECT pid, 'answer', at_ns, end_ns, done_ns FROM answered
    UNION ALL
    SELECT pid, 'wake', start_ns, NULL, start_ns FROM wakers
),

placed AS (
    SELECT e.pid, e.kind, e.at_ns, e.end_ns, coalesce(w.from_ns, 0) AS from_ns
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
    SELECT pid, from_ns, kind, at_ns, end_ns, ceil(place * requests / pieces) AS request FROM numbered WHERE requests > 0
),

matched AS (
    SELECT
        pid,
        min(CASE WHEN kind = 'ask' THEN at_ns END) AS arrived_ns,
        max(end_ns) AS end_ns -- NULL where the trace ends before the answer
    FROM grouped
    GROUP BY pid, from_ns, request
),

-- where many answers come before what asked for them, too many reads are pieces of a request to tell which
in_order AS (
    SELECT * FROM matched
    WHERE end_ns IS NOT NULL
    WINDOW process AS (PARTITION BY pid)
    QUALIFY end_ns > arrived_ns AND count_if(end_ns > arrived_ns) OVER process >= 0.9 * count(*) OVER process
),

worked_on AS (
    SELECT coalesce(f.worker_pid, m.pid) AS pid, f.pid IS NOT NULL AS by_frontend, m.arrived_ns, m.end_ns
    FROM in_order AS m
    LEFT JOIN sole_frontends AS f ON f.pid = m.pid
),

followed AS (
    SELECT
        *,
        least(end_ns, greatest(arrived_ns, max(end_ns) OVER before)) AS start_ns
    FROM worked_on
    WINDOW before AS (PARTITION BY pid ORDER BY arrived_ns, end_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
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
COMMENT ON COLUMN answered_requests.start_ns IS 'from when on it was worked on: when all that arrived before it were answered, if that was later; end_ns if it is answered before them, ns';
COMMENT ON COLUMN answered_requests.end_ns IS 'CPU time at which its answer was sent, ns';
