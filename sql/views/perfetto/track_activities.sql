-- Activities on the tracks of their streams, with the arrows from the calls that launched them.
-- reads: trace.activities, trace.activity_names, trace.chrome_event, trace.copies, trace.flow, trace.linked_activities
-- reads: trace.pid_of_gpu, trace.stream_tracks, trace.tracked_span
CREATE VIEW track_activities AS
SELECT
    trace.pid_of_gpu(a.gpu) AS pid,
    t.tid,
    a.start_ns,
    a.end_ns,
    trace.chrome_event(
        n.name, a.kind, a.start_ns, a.end_ns, s.zero_ns,
        coalesce(trace.flow('in', a.pid, l.correlation_id), '') || coalesce(format(',"args":{{"bytes":{:d}}}', c.bytes), '')
    ) AS event
FROM trace.linked_activities AS l
CROSS JOIN trace.tracked_span AS s
INNER JOIN trace.activities AS a ON a.activity_id = l.activity_id
INNER JOIN trace.activity_names AS n ON n.activity_id = a.activity_id
INNER JOIN trace.stream_tracks AS t ON t.gpu = a.gpu AND t.pid = a.pid AND t.stream = a.stream
LEFT JOIN trace.copies AS c ON c.activity_id = a.activity_id;

COMMENT ON VIEW track_activities IS 'activities on the tracks of their streams';
COMMENT ON COLUMN track_activities.pid IS 'as in tracks';
COMMENT ON COLUMN track_activities.tid IS 'as in tracks';
COMMENT ON COLUMN track_activities.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN track_activities.end_ns IS 'GPU end, ns';
COMMENT ON COLUMN track_activities.event IS 'the event, as of chrome_event; its category is the kind of the activity';
