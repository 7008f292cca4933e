-- What each thread did: events of all kinds on one track for each thread, where they nest as a call stack does.
-- reads: trace.activities, trace.call_names, trace.calls, trace.chrome_event, trace.flow, trace.gil_ranges
-- reads: trace.linked_activities, trace.nvtx_ranges, trace.os_calls, trace.pid_of, trace.profiler_overheads, trace.strings
-- reads: trace.tid_of, trace.touches, trace.tracked_span
CREATE VIEW track_calls AS
WITH launched AS (
    SELECT DISTINCT a.pid, l.correlation_id, a.launch_start_ns
    FROM trace.linked_activities AS l
    INNER JOIN trace.activities AS a ON a.activity_id = l.activity_id
    WHERE l.correlation_id IS NOT NULL
),

events AS (
    SELECT global_tid, start_ns, end_ns, name, 'nvtx' AS category, NULL AS flow FROM trace.nvtx_ranges
    UNION ALL
    SELECT
        c.global_tid, c.start_ns, c.end_ns, coalesce(t.name, '?'), 'cuda', trace.flow('out', c.pid, l.correlation_id)
    FROM trace.calls AS c
    LEFT JOIN trace.call_names AS t ON t.string_id = c.name_id
    LEFT JOIN launched AS l ON l.pid = c.pid AND l.correlation_id = c.correlation_id AND l.launch_start_ns = c.start_ns
    UNION ALL
    SELECT c.global_tid, c.start_ns, c.end_ns, coalesce(t.text, '?'), 'os', NULL
    FROM trace.os_calls AS c
    LEFT JOIN trace.strings AS t ON t.string_id = c.name_id
    WHERE trace.tid_of(c.global_tid) > 0 -- thread 0 is no thread: its only event is a mark "[Unknown]" of no length
    UNION ALL
    SELECT p.global_tid, p.start_ns, p.end_ns, coalesce(t.text, '?'), 'profiler', NULL
    FROM trace.profiler_overheads AS p
    LEFT JOIN trace.strings AS t ON t.string_id = p.name_id
    UNION ALL
    SELECT global_tid, start_ns, end_ns, name, 'gil', NULL FROM trace.gil_ranges WHERE waiting
)

SELECT
    trace.pid_of(e.global_tid) AS pid,
    trace.tid_of(e.global_tid) AS tid,
    e.start_ns,
    e.end_ns,
    trace.chrome_event(e.name, e.category, e.start_ns, e.end_ns, s.zero_ns, coalesce(e.flow, '')) AS event
FROM events AS e, trace.tracked_span AS s
WHERE e.end_ns >= e.start_ns AND trace.touches(e.start_ns, e.end_ns, s.from_ns, s.to_ns);

COMMENT ON VIEW track_calls IS 'NVTX ranges, CUDA calls, OS calls, waits for the GIL and the profiler''s own work on the tracks of their threads';
COMMENT ON COLUMN track_calls.pid IS 'as in tracks';
COMMENT ON COLUMN track_calls.tid IS 'as in tracks';
COMMENT ON COLUMN track_calls.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN track_calls.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN track_calls.event IS 'the event, as of chrome_event; its category is nvtx, cuda, os, gil or profiler';
