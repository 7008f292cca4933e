-- One row for each long time in which the event loop of a dispatcher slept until a timer woke it: nobody asked it for
-- anything, and it waited for no answer. What it receives next, from a client or from a thread of its own process, would
-- have woken it.
-- reads: dispatchers, long_wait_ns, socket_calls
CREATE TABLE idle_loops AS
SELECT pid, start_ns, end_ns
FROM (
    SELECT pid, start_ns, end_ns, waits AND NOT receives AS sleeps, lead(receives) OVER thread AS then_receives
    FROM socket_calls
    WHERE NOT sends AND global_tid IN (SELECT global_tid FROM dispatchers)
    WINDOW thread AS (PARTITION BY global_tid ORDER BY start_ns, end_ns)
)
WHERE sleeps AND then_receives IS NOT true AND end_ns - start_ns >= long_wait_ns();

COMMENT ON TABLE idle_loops IS 'times in which an event loop that gives work to launching threads sleeps until a timer wakes it';
