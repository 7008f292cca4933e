-- One row for each time at which a launching thread waited until a request came: data arrives from outside, and within 1 ms,
-- which is no time to work on it, the thread goes on. (Or it goes on, and receives the data itself.) A server may take a tenth of
-- the wait: FastAPI hands a request to a thread in 1.0 to 1.5 ms. A request comes in a few pieces (one of 300 KB to gRPC in 3 to
-- 6); what comes in many, while nothing is launched, is a download. A server may also wait a while for its batch to fill: then
-- the thread that received the data sleeps until a timer wakes it, so that it receives nothing next. Where another process takes
-- the requests, the thread reads what that one hands over within 5 ms: 1.6 ms with queues of Python (LitServe). What comes there
-- right after the wait began may be what the thread itself asked for.
-- reads: activities, arrivals, client_processes, event_loop_ns, frontends, launching_threads, long_wait_ns, pid_of, socket_calls
-- reads: thread_states
CREATE TABLE demand_waits AS
WITH waits AS (
    SELECT pid_of(global_tid) AS pid, global_tid, start_ns, end_ns
    FROM thread_states
    WHERE
        state = 'wait' AND end_ns - start_ns >= long_wait_ns() AND pid_of(global_tid) IN (SELECT pid FROM arrivals)
        AND global_tid IN (SELECT global_tid FROM launching_threads)
),

followed AS (
    SELECT pid, end_ns, waits AND NOT receives AS sleeps, lead(receives) OVER thread AS then_receives
    FROM socket_calls
    WHERE (waits OR receives OR sends) AND global_tid IN (SELECT global_tid FROM arrivals)
    WINDOW thread AS (PARTITION BY global_tid ORDER BY start_ns, end_ns)
),

timers AS (
    SELECT pid, end_ns FROM followed WHERE sleeps AND NOT then_receives
),

launches_before AS (
    SELECT w.*, greatest(w.start_ns, a.launch_start_ns) AS nothing_launched_from_ns, t.end_ns AS timer_ns
    FROM waits AS w
    ASOF LEFT JOIN timers AS t ON t.pid = w.pid AND w.end_ns >= t.end_ns
    ASOF LEFT JOIN (SELECT pid, launch_start_ns FROM activities WHERE pid IN (SELECT pid FROM arrivals)) AS a
        ON a.pid = w.pid AND w.end_ns >= a.launch_start_ns
)

SELECT
    w.pid, w.global_tid, w.start_ns, w.end_ns, false AS handed_over,
    CASE WHEN any_value(w.timer_ns) - max(a.at_ns) >= event_loop_ns() THEN max(a.at_ns) END AS held_from_ns
FROM launches_before AS w
INNER JOIN arrivals AS a
    ON
        a.pid = w.pid AND a.at_ns >= w.nothing_launched_from_ns
        AND a.at_ns <= w.end_ns + CASE WHEN a.global_tid = w.global_tid THEN long_wait_ns() ELSE 0 END
GROUP BY w.pid, w.global_tid, w.start_ns, w.end_ns
HAVING
    greatest(max(a.at_ns), any_value(w.timer_ns)) >= w.end_ns - CASE
        WHEN w.pid IN (FROM client_processes) THEN long_wait_ns()
        ELSE greatest(long_wait_ns(), (w.end_ns - w.start_ns) // 10)
    END
    AND count(*) <= 8
UNION ALL
SELECT o.pid, o.global_tid, o.start_ns, o.end_ns, true, NULL
FROM socket_calls AS o
INNER JOIN frontends AS f ON f.worker_pid = o.pid
ASOF INNER JOIN arrivals AS a ON a.pid = f.pid AND o.end_ns >= a.at_ns
WHERE
    o.waits AND o.end_ns - o.start_ns >= long_wait_ns()
    AND a.at_ns >= greatest(o.start_ns + event_loop_ns(), o.end_ns - 5000000)
    AND o.global_tid IN (SELECT global_tid FROM launching_threads);

COMMENT ON TABLE demand_waits IS 'when launching threads waited for the next request';
COMMENT ON COLUMN demand_waits.global_tid IS 'the thread that waited, in threads';
COMMENT ON COLUMN demand_waits.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN demand_waits.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN demand_waits.handed_over IS 'true where another process took the request';
COMMENT ON COLUMN demand_waits.held_from_ns IS 'when the last request came, where the program then waited for its batch to fill until a timer of its own ended, ns; NULL elsewhere';
