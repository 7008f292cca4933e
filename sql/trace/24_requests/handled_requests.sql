-- One row for each request that one thread reads and answers itself before it reads the next one, as each thread of Python's
-- http.server does. All that it reads before it writes is one request. All that it writes before it reads again is the answer:
-- http.server writes the headers, and then the body.
--
-- This holds where threads that launch read at least half of what comes, and write at least half of what is sent. gRPC reads in
-- other threads than it answers in. A thread that waits in epoll may read several requests before it answers the first one. A
-- thread that connects and launches nothing is a client.
-- reads: launching_threads, server_messages, socket_calls
CREATE TABLE handled_requests AS
WITH clients AS (
    SELECT global_tid FROM socket_calls WHERE name = 'connect'
    EXCEPT
    SELECT global_tid FROM launching_threads
),

messages AS (
    SELECT pid, global_tid, at_ns, at_ns AS read_ns, CAST(NULL AS BIGINT) AS sent_ns FROM socket_calls
    WHERE starts_with(name, 'recv') AND pid IN (SELECT pid FROM server_messages) AND global_tid NOT IN (FROM clients)
    UNION ALL
    SELECT pid, global_tid, end_ns, NULL, end_ns FROM server_messages WHERE global_tid NOT IN (FROM clients)
),

by_thread AS (
    SELECT
        pid,
        global_tid,
        count(read_ns) AS reads,
        count(sent_ns) AS writes,
        global_tid IN (SELECT global_tid FROM launching_threads) AS launches,
        global_tid IN (SELECT global_tid FROM socket_calls WHERE starts_with(name, 'epoll')) AS loops
    FROM messages
    GROUP BY pid, global_tid
),

by_handler AS (
    SELECT *, reads > 0 AND writes > 0 AND NOT loops AS handles FROM by_thread
),

handling AS (
    SELECT pid
    FROM by_handler
    GROUP BY pid
    HAVING
        sum(CASE WHEN handles AND launches THEN reads END) >= 0.5 * sum(reads)
        AND sum(CASE WHEN handles AND launches THEN writes END) >= 0.5 * sum(writes)
),

begun AS (
    SELECT *, read_ns IS NOT NULL AND lag(read_ns) OVER thread IS NULL AS begins
    FROM messages
    WHERE pid IN (FROM handling) AND global_tid IN (SELECT global_tid FROM by_handler WHERE handles)
    WINDOW thread AS (PARTITION BY global_tid ORDER BY at_ns)
),

numbered AS (
    SELECT *, count_if(begins) OVER (PARTITION BY global_tid ORDER BY at_ns) AS request
    FROM begun
)

-- what a thread reads first is a request, even if the trace ends before the answer; later it may find the connection closed
SELECT pid, global_tid, min(read_ns) AS read_ns, max(sent_ns) AS end_ns
FROM numbered
WHERE request > 0
GROUP BY pid, global_tid, request
HAVING max(sent_ns) IS NOT NULL OR request = 1;

COMMENT ON TABLE handled_requests IS 'requests that the thread that reads them answers itself';
COMMENT ON COLUMN handled_requests.global_tid IS 'the thread that handles it, in threads';
COMMENT ON COLUMN handled_requests.read_ns IS 'CPU time at which it reads the request, ns since the session began';
COMMENT ON COLUMN handled_requests.end_ns IS 'CPU time at which its answer was sent, ns; NULL where the trace ends before';
