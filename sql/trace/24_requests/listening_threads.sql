-- One row for each listening thread: one that receives data from outside of the program, and so requests. Where such a thread
-- only accepts connections, each connection is a request, and other threads answer.
-- reads: arrivals, client_processes, launching_threads, socket_calls, sole_frontends
CREATE TABLE listening_threads AS
WITH serving AS (
    SELECT pid FROM arrivals
    WHERE pid IN (SELECT pid FROM launching_threads) OR pid IN (SELECT pid FROM sole_frontends)
    EXCEPT
    FROM client_processes
),

-- a thread that works on a connection may wait for the rest of its request: most arrivals of its process are connections then
accepting_threads AS (
    SELECT global_tid FROM socket_calls WHERE receives GROUP BY global_tid HAVING bool_and(starts_with(name, 'accept'))
)

SELECT a.pid, a.global_tid, t.global_tid IS NOT NULL AS accepts
FROM (SELECT pid, global_tid, count(*) AS arrivals FROM arrivals WHERE pid IN (FROM serving) GROUP BY pid, global_tid) AS a
LEFT JOIN accepting_threads AS t ON t.global_tid = a.global_tid
WINDOW process AS (PARTITION BY a.pid)
QUALIFY
    accepts OR coalesce(sum(CASE WHEN accepts THEN a.arrivals END) OVER process, 0) < 0.5 * sum(a.arrivals) OVER process;

COMMENT ON TABLE listening_threads IS 'threads that receive requests; empty where the program serves none';
COMMENT ON COLUMN listening_threads.accepts IS 'true where it only accepts connections';
