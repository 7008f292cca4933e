-- One row for each time at which a launching thread waited until a request came: data arrives from outside, and within 1 ms,
-- which is no time to work on it, the thread goes on. A request comes in a few pieces; what comes in many is a download.
-- reads: arrivals, own_work_ns, pid_of, thread_states
CREATE TABLE demand_waits AS
SELECT pid_of(t.global_tid) AS pid, t.global_tid, t.start_ns, t.end_ns
FROM thread_states AS t
INNER JOIN arrivals AS a
    ON a.pid = pid_of(t.global_tid) AND a.at_ns BETWEEN t.start_ns AND t.end_ns + own_work_ns()
WHERE t.state = 'wait' AND t.end_ns - t.start_ns >= own_work_ns()
GROUP BY t.global_tid, t.start_ns, t.end_ns
HAVING max(a.at_ns) >= t.end_ns - own_work_ns() AND count(*) <= 4;

COMMENT ON TABLE demand_waits IS 'when launching threads waited for the next request';
COMMENT ON COLUMN demand_waits.pid IS 'process id';
COMMENT ON COLUMN demand_waits.global_tid IS 'the thread that waited, in threads';
COMMENT ON COLUMN demand_waits.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN demand_waits.end_ns IS 'CPU end, ns';
