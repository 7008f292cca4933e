-- One row for each time at which a launching thread waited until a request came: data arrives from outside, and within 1 ms,
-- which is no time to work on it, the thread goes on. A request comes in a few pieces; what comes in many is a download. Where
-- another process takes the requests, the thread reads what that one hands over within 5 ms: 1.6 ms with queues of Python
-- (LitServe). What comes there right after the wait began may be what the thread itself asked for.
-- reads: arrivals, event_loop_ns, frontends, launching_threads, own_work_ns, pid_of, socket_calls, thread_states
CREATE TABLE demand_waits AS
SELECT pid_of(t.global_tid) AS pid, t.global_tid, t.start_ns, t.end_ns, false AS handed_over
FROM thread_states AS t
INNER JOIN arrivals AS a
    ON a.pid = pid_of(t.global_tid) AND a.at_ns BETWEEN t.start_ns AND t.end_ns + own_work_ns()
WHERE
    t.state = 'wait' AND t.end_ns - t.start_ns >= own_work_ns()
GROUP BY t.global_tid, t.start_ns, t.end_ns
HAVING max(a.at_ns) >= t.end_ns - own_work_ns() AND count(*) <= 4
UNION ALL
SELECT o.pid, o.global_tid, o.start_ns, o.end_ns, true
FROM socket_calls AS o
INNER JOIN frontends AS f ON f.worker_pid = o.pid
ASOF INNER JOIN arrivals AS a ON a.pid = f.pid AND o.end_ns >= a.at_ns
WHERE
    o.waits AND o.end_ns - o.start_ns >= own_work_ns()
    AND a.at_ns >= greatest(o.start_ns + event_loop_ns(), o.end_ns - 5000000)
    AND o.global_tid IN (SELECT global_tid FROM launching_threads);

COMMENT ON TABLE demand_waits IS 'when launching threads waited for the next request';
COMMENT ON COLUMN demand_waits.pid IS 'process id';
COMMENT ON COLUMN demand_waits.global_tid IS 'the thread that waited, in threads';
COMMENT ON COLUMN demand_waits.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN demand_waits.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN demand_waits.handed_over IS 'true where another process took the request';
