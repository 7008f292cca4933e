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

-- What the stream of a queued activity waits for: an event of another stream, or a host function.
-- reads: stream_dependencies
CREATE VIEW rules_stream_dependency AS
SELECT segment_id, priority, basis FROM stream_dependencies;

-- Where most of what a stream waits for are host functions, they are what to change.
-- reads: call_names, calls, stream_dependencies, window_segments
CREATE VIEW fix_stream_dependency AS
WITH dependencies AS (
    SELECT segment_id, arg_min(waits_for, priority) AS waits_for FROM stream_dependencies GROUP BY segment_id
),

waited AS (
    SELECT d.waits_for
    FROM window_segments AS s
    INNER JOIN dependencies AS d ON d.segment_id = s.segment_id
    WHERE s.cause = 'stream_dependency'
    GROUP BY d.waits_for
    ORDER BY sum(s.end_ns - s.start_ns) DESC, d.waits_for
    LIMIT 1
)

SELECT
    CASE
        WHEN (SELECT waits_for FROM waited) = 'host function'
            THEN
                format(
                    'The stream waits until a function on the CPU returns, which {} puts into it. Make that function brief, put '
                    || 'it on a stream of its own behind an event, or let a thread of the program wait for the event and call '
                    || 'it.',
                    (
                        SELECT coalesce(mode(n.name ORDER BY n.name), 'the program')
                        FROM calls AS c
                        INNER JOIN call_names AS n ON n.string_id = c.name_id
                        WHERE c.family = 'host_function'
                    )
                )
        ELSE
            'Streams wait for each other although work is queued: record the event earlier (right after the activity that is '
            || 'needed), wait later (right before its use), or put activities that depend on each other on one stream.'
    END AS fix;
