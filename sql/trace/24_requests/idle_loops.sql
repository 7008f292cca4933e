-- One row for each long time in which the event loop of a dispatcher slept until a timer woke it: nobody asked it for anything,
-- and it waited for no answer. What it receives right after, from a client or from a thread of its own process, would have woken
-- it.
-- reads: dispatchers, event_loop_ns, long_wait_ns, socket_calls
CREATE TABLE idle_loops AS
WITH calls_made AS (
    SELECT * FROM socket_calls WHERE NOT sends AND global_tid IN (SELECT global_tid FROM dispatchers)
)

SELECT s.pid, s.start_ns, s.end_ns
FROM (SELECT * FROM calls_made WHERE waits AND NOT receives AND end_ns - start_ns >= long_wait_ns()) AS s
ASOF LEFT JOIN (SELECT * FROM calls_made WHERE receives) AS r ON r.global_tid = s.global_tid AND s.end_ns <= r.start_ns
WHERE r.start_ns IS NULL OR r.start_ns - s.end_ns >= event_loop_ns();

COMMENT ON TABLE idle_loops IS 'times in which an event loop that gives work to launching threads sleeps until a timer wakes it';
