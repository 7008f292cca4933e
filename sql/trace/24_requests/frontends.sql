-- One row for each process that takes requests from outside and hands them to another one, which launches activities: an HTTP
-- server in front of the process that holds the model. It writes what that one reads, itself or through one process between
-- them, as Python's managers of queues do. It answers as often as it is asked: a process that reads much more often than it sends
-- only downloads. And it is asked by others: a process that only answers the one that launches is a source of data. So at least a
-- twentieth of what comes does not come right after a message of that process; under full load it is 8 % (LitServe).
--
-- Each process reads what a few others write, each of which accounts for at least an eighth of these reads.
-- reads: arrivals, client_processes, event_loop_ns, hand_over_ns, launching_threads, loader_threads, socket_calls
-- reads: training_processes
CREATE TABLE frontends AS
WITH launching AS (
    SELECT DISTINCT pid FROM launching_threads
    WHERE pid NOT IN (SELECT pid FROM loader_threads) AND pid NOT IN (FROM training_processes)
),

written AS (
    SELECT pid AS sender, end_ns AS sent_ns FROM socket_calls WHERE sends
),

asked AS (
    SELECT a.pid, count(*) AS arrivals, count(CASE WHEN a.at_ns - w.sent_ns <= event_loop_ns() THEN 1 END) AS after_messages
    FROM (SELECT pid, at_ns FROM arrivals WHERE pid NOT IN (FROM launching)) AS a
    ASOF LEFT JOIN (SELECT sent_ns FROM written WHERE sender IN (SELECT pid FROM launching_threads)) AS w ON a.at_ns >= w.sent_ns
    GROUP BY a.pid
),

outside AS (
    SELECT a.pid
    FROM asked AS a
    INNER JOIN socket_calls AS s ON s.pid = a.pid AND s.global_tid IN (SELECT global_tid FROM arrivals)
    WHERE a.after_messages <= 0.95 * a.arrivals AND a.pid NOT IN (FROM client_processes)
    GROUP BY a.pid, a.arrivals
    HAVING count_if(s.sends) >= 0.5 * a.arrivals
),

waited AS (
    SELECT pid, end_ns FROM socket_calls WHERE waits AND EXISTS (FROM outside)
),

senders AS (
    SELECT r.pid, w.sender
    FROM waited AS r
    ASOF INNER JOIN written AS w ON r.end_ns >= w.sent_ns
    WHERE r.end_ns - w.sent_ns <= hand_over_ns()
    GROUP BY r.pid, w.sender
    QUALIFY w.sender <> r.pid AND count(*) >= 0.125 * sum(count(*)) OVER (PARTITION BY r.pid)
)

SELECT DISTINCT s.pid AS worker_pid, o.pid
FROM senders AS s
LEFT JOIN senders AS b ON b.pid = s.sender AND b.pid NOT IN (FROM launching)
INNER JOIN outside AS o ON o.pid IN (s.sender, b.sender)
WHERE s.pid IN (FROM launching);

COMMENT ON TABLE frontends IS 'processes that take requests and hand them to another one, which launches activities';
COMMENT ON COLUMN frontends.worker_pid IS 'process that launches activities';
COMMENT ON COLUMN frontends.pid IS 'process that takes the requests';
