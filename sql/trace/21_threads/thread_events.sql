-- One row for each event of a launching thread, or of one that gives it work, that makes a state: calls that wait or work,
-- without launches and very short calls; waits for the GIL, page faults, delays by the profiler, times without a core, and
-- those before it began.
-- reads: blocking_calls, called_back_waits, calls, child_calls, cpu_page_faults, dispatchers, gil_waits, launching_threads
-- reads: os_calls, overheads, preemptions, thread_starts, wake_ns
CREATE TABLE thread_events AS
WITH events AS (
    SELECT global_tid, start_ns, end_ns, name_id, family AS state, 0 AS precedence
    FROM calls
    -- 10 us: finding a kernel that is loaded takes 0.2 us, loading one takes 100 us and more
    WHERE family NOT IN ('launch', 'copy', 'sync', 'query') AND (family <> 'module' OR end_ns - start_ns > 10000)
    UNION ALL
    SELECT
        global_tid, start_ns, end_ns, name_id,
        CASE WHEN waits_for = 'upload' THEN 'upload' ELSE 'sync' END, 0
    FROM blocking_calls
    WHERE waits_for <> 'memory'
    UNION ALL
    SELECT o.global_tid, o.start_ns, o.end_ns, o.name_id, CASE WHEN r.global_tid IS NOT NULL THEN 'wait' ELSE o.kind END, 0
    FROM os_calls AS o
    LEFT JOIN child_calls AS r ON r.global_tid = o.global_tid AND r.start_ns = o.start_ns
    ANTI JOIN called_back_waits AS w ON w.global_tid = o.global_tid AND w.start_ns = o.start_ns
    WHERE o.kind IS NOT NULL AND (o.kind NOT IN ('lock', 'wait') OR o.end_ns - o.start_ns > wake_ns())
    UNION ALL
    SELECT global_tid, start_ns, end_ns, name_id, CASE WHEN for_profiler THEN 'profiler' ELSE 'lock' END, 0
    FROM gil_waits
    WHERE end_ns - start_ns > wake_ns()
    UNION ALL
    SELECT global_tid, start_ns, end_ns, name_id, kind, 0 FROM overheads WHERE kind IN ('module', 'profiler')
    UNION ALL
    -- which thread touches the page is not in the trace: the one that drives the loop is taken
    SELECT t.global_tid, f.start_ns, f.end_ns, NULL, 'migration', 0
    FROM cpu_page_faults AS f
    INNER JOIN launching_threads AS t ON t.pid = f.pid AND t.main
    UNION ALL
    -- before a thread began there was nothing for it to do: those before it were at work, then none
    SELECT global_tid, before_ns, idle_from_ns, NULL, 'not_begun', -1 FROM thread_starts WHERE before_ns < idle_from_ns
    UNION ALL
    SELECT global_tid, idle_from_ns, starts_ns, NULL, 'wait', -1 FROM thread_starts WHERE idle_from_ns < starts_ns
    UNION ALL
    -- a thread that lost its core in a call that waits does not need one
    SELECT global_tid, start_ns, end_ns, NULL, CASE WHEN for_profiler THEN 'profiler' ELSE 'off_cpu' END, -1
    FROM preemptions
)

SELECT
    row_number() OVER (ORDER BY e.global_tid, e.start_ns, e.end_ns, e.state, e.name_id) AS id,
    e.global_tid AS track,
    e.start_ns,
    e.end_ns,
    e.name_id,
    e.state,
    e.precedence
FROM events AS e
WHERE
    e.global_tid IN (SELECT global_tid FROM launching_threads) OR e.global_tid IN (SELECT global_tid FROM dispatchers);

COMMENT ON TABLE thread_events IS 'calls of these threads that make a state, before they are flattened';
COMMENT ON COLUMN thread_events.id IS 'number in order of thread and start';
COMMENT ON COLUMN thread_events.track IS 'thread, in threads';
COMMENT ON COLUMN thread_events.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN thread_events.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN thread_events.name_id IS 'name of the call, in strings';
COMMENT ON COLUMN thread_events.state IS 'as in thread_states';
COMMENT ON COLUMN thread_events.precedence IS '-1 for lost cores and for the time before a thread began, which count only where nothing else is open; else 0';
