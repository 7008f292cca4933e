-- Ops on the tracks of their streams, and the flows to them from the calls that launched them.
CREATE VIEW track_ops AS
SELECT
    layers.pid_of_gpu(o.gpu) AS pid,
    t.tid,
    o.start_ns,
    o.end_ns,
    layers.chrome_event(
        n.name, CAST(o.kind AS VARCHAR), o.start_ns, o.end_ns, s.zero_ns,
        coalesce(layers.flow('in', o.pid, l.correlation_id), '') || coalesce(format(',"args":{{"bytes":{:d}}}', c.bytes), '')
    ) AS event
FROM layers.linked_ops AS l
CROSS JOIN layers.tracked_span AS s
INNER JOIN layers.ops AS o ON o.op_id = l.op_id
INNER JOIN layers.op_names AS n ON n.op_id = o.op_id
INNER JOIN layers.stream_tracks AS t ON t.gpu = o.gpu AND t.pid = o.pid AND t.stream = o.stream
LEFT JOIN layers.copies AS c ON c.op_id = o.op_id;

COMMENT ON VIEW track_ops IS 'ops on the tracks of their streams';
COMMENT ON COLUMN track_ops.pid IS 'as in tracks';
COMMENT ON COLUMN track_ops.tid IS 'as in tracks';
COMMENT ON COLUMN track_ops.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN track_ops.end_ns IS 'GPU end, ns';
COMMENT ON COLUMN track_ops.event IS 'the event, as of chrome_event; its category is the kind of the op';
