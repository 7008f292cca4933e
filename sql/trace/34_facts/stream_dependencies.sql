-- One row for each segment and what its stream waits for. The activity was launched in time. Since the launch of the activity
-- before it on its stream, the stream was told to wait for an event of another stream, or for a host function. It is seen where
-- a host function runs for most of the time; one that began before the activity before it ended belongs to another stream.
-- reads: activities, clock_tolerance_ns, host_functions, lone_streams, segments, stream_waits
CREATE TABLE stream_dependencies AS
WITH queued AS (
    SELECT
        s.segment_id, s.state, s.start_ns, s.end_ns, a.pid, a.stream, a.launch_start_ns,
        p.launch_start_ns AS after_ns,
        p.end_ns AS ended_ns
    FROM segments AS s
    INNER JOIN activities AS a ON a.activity_id = s.gap_id
    ASOF LEFT JOIN (
        SELECT gpu, pid, stream, launch_start_ns, max(end_ns) AS end_ns
        FROM activities
        WHERE launch_start_ns IS NOT NULL
        GROUP BY gpu, pid, stream, launch_start_ns
    ) AS p
        ON p.gpu = a.gpu AND p.pid = a.pid AND p.stream = a.stream AND a.launch_start_ns > p.launch_start_ns
    WHERE s.state IN ('queued', 'stalled') AND (EXISTS (FROM stream_waits) OR EXISTS (FROM host_functions))
)

SELECT q.segment_id, 'event' AS waits_for, 65 AS priority, 'inferred' AS basis
FROM queued AS q
-- of two streams of one number, on two GPUs, the call does not say which one waits
SEMI JOIN lone_streams AS l ON l.pid = q.pid AND l.stream = q.stream
ASOF INNER JOIN (SELECT * FROM stream_waits WHERE stream IS NOT NULL) AS w
    ON w.pid = q.pid AND w.stream = q.stream AND q.launch_start_ns > w.call_ns
WHERE coalesce(w.call_ns > q.after_ns, true)
UNION ALL
-- the stream of a host function is not in the trace: an activity that stalls may wait for the last one before its launch
SELECT q.segment_id, 'host function', 66, 'inferred'
FROM queued AS q
ASOF INNER JOIN (SELECT * FROM stream_waits WHERE stream IS NULL) AS w ON w.pid = q.pid AND q.launch_start_ns > w.call_ns
WHERE q.state = 'stalled' AND coalesce(w.call_ns > q.after_ns, true)
UNION ALL
SELECT q.segment_id, 'host function', 64, 'seen'
FROM queued AS q
INNER JOIN host_functions AS h ON h.pid = q.pid AND h.start_ns < q.end_ns AND h.end_ns > q.start_ns
WHERE coalesce(h.stream = q.stream, true) AND coalesce(h.start_ns >= q.ended_ns - clock_tolerance_ns(), true)
GROUP BY q.segment_id
HAVING 2 * sum(least(h.end_ns, q.end_ns) - greatest(h.start_ns, q.start_ns)) > any_value(q.end_ns - q.start_ns);

COMMENT ON TABLE stream_dependencies IS 'segments in which queued work waits for an event of another stream, or for a host function';
COMMENT ON COLUMN stream_dependencies.waits_for IS 'event or host function';
COMMENT ON COLUMN stream_dependencies.priority IS 'as in segment_rules';
COMMENT ON COLUMN stream_dependencies.basis IS 'as in segment_rules';
