/* cause
meaning = "queued work waited for another stream or a host function"
usual_fix = "Record events earlier, wait later, keep dependent activities on one stream."
needs = ["graph_nodes"]
color = "#047d58"
color_dark = "#3c9a71"

[remove]
segments = false
streams = true
*/

-- The activity was launched in time. Since the launch of the activity before it on its stream, the stream was told to wait for
-- an event of another stream, or for a host function. It is seen where a host function runs for most of the time; one that began
-- before the activity before it ended belongs to another stream.
-- reads: activities, clock_tolerance_ns, host_functions, segments, stream_waits
CREATE VIEW rules_stream_dependency AS
WITH queued AS (
    SELECT
        s.segment_id, s.state, s.start_ns, s.end_ns, a.pid, a.stream, a.launch_start_ns,
        coalesce(p.launch_start_ns, 0) AS after_ns,
        coalesce(p.end_ns, 0) AS ended_ns
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

SELECT q.segment_id, 65 AS priority, 'inferred' AS basis
FROM queued AS q
ASOF INNER JOIN (SELECT * FROM stream_waits WHERE stream IS NOT NULL) AS w
    ON w.pid = q.pid AND w.stream = q.stream AND q.launch_start_ns > w.call_ns
WHERE w.call_ns > q.after_ns
UNION ALL
-- the stream of a host function is not in the trace: an activity that stalls may wait for the last one before its launch
SELECT q.segment_id, 66, 'inferred'
FROM queued AS q
ASOF INNER JOIN (SELECT * FROM stream_waits WHERE stream IS NULL) AS w ON w.pid = q.pid AND q.launch_start_ns > w.call_ns
WHERE q.state = 'stalled' AND w.call_ns > q.after_ns
UNION ALL
SELECT q.segment_id, 64, 'seen'
FROM queued AS q
INNER JOIN host_functions AS h ON h.pid = q.pid AND h.start_ns < q.end_ns AND h.end_ns > q.start_ns
WHERE coalesce(h.stream = q.stream, true) AND h.start_ns >= q.ended_ns - clock_tolerance_ns()
GROUP BY q.segment_id
HAVING 2 * sum(least(h.end_ns, q.end_ns) - greatest(h.start_ns, q.start_ns)) > any_value(q.end_ns - q.start_ns);

-- Where most of what a stream waits for are host functions, they are what to change.
-- reads: call_names, calls
CREATE VIEW fix_stream_dependency AS
WITH waited AS (
    SELECT c.family, mode(n.name ORDER BY n.name) AS name
    FROM calls AS c
    INNER JOIN call_names AS n ON n.string_id = c.name_id
    WHERE c.family IN ('stream_wait', 'host_function')
    GROUP BY c.family
    ORDER BY count(*) DESC, c.family
    LIMIT 1
)

SELECT
    CASE
        WHEN (SELECT family FROM waited) = 'host_function'
            THEN
                format(
                    'The stream waits until a function on the CPU returns, which {} puts into it. Make that function brief, put '
                    || 'it on a stream of its own behind an event, or let a thread of the program wait for the event and call '
                    || 'it.',
                    (SELECT name FROM waited)
                )
        ELSE
            'Streams wait for each other although work is queued: record the event earlier (right after the activity that is '
            || 'needed), wait later (right before its use), or put activities that depend on each other on one stream.'
    END AS fix;
