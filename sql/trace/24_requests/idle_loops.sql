-- One row for each long time in which the event loop of a dispatcher slept until a timer woke it: nobody asked it for anything,
-- and it waited for no answer. What it receives right after, from a client or from a thread of its own process, would have woken
-- it. Where a request came since the last launch, and the timer brings the next one, the program held that request back.
-- reads: activities, arrivals, dispatchers, event_loop_ns, long_wait_ns, socket_calls
CREATE TABLE idle_loops AS
WITH calls_made AS (
    SELECT * FROM socket_calls WHERE NOT sends AND global_tid IN (SELECT global_tid FROM dispatchers)
),

launches_made AS (
    SELECT pid, launch_start_ns FROM activities WHERE pid IN (SELECT pid FROM calls_made)
)

SELECT
    s.pid, s.start_ns, s.end_ns,
    coalesce(a.at_ns > l.launch_start_ns AND n.launch_start_ns < coalesce(m.at_ns, 9223372036854775807), false) AS held
FROM (SELECT * FROM calls_made WHERE waits AND NOT receives AND end_ns - start_ns >= long_wait_ns()) AS s
ASOF LEFT JOIN (SELECT * FROM calls_made WHERE receives) AS r ON r.global_tid = s.global_tid AND s.end_ns <= r.start_ns
ASOF LEFT JOIN arrivals AS a ON a.pid = s.pid AND s.start_ns >= a.at_ns
ASOF LEFT JOIN launches_made AS l ON l.pid = s.pid AND s.start_ns >= l.launch_start_ns
ASOF LEFT JOIN launches_made AS n ON n.pid = s.pid AND s.end_ns <= n.launch_start_ns
ASOF LEFT JOIN arrivals AS m ON m.pid = s.pid AND s.end_ns <= m.at_ns
WHERE r.start_ns IS NULL OR r.start_ns - s.end_ns >= event_loop_ns();

COMMENT ON TABLE idle_loops IS 'times in which an event loop that gives work to launching threads sleeps until a timer wakes it';
COMMENT ON COLUMN idle_loops.held IS 'true where a request came between the last launch and this time, and none between its end and the next launch';
