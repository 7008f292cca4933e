-- All lost time on a track of each GPU: each segment by the name of its cause; the segments of a gap lie inside of the gap.
-- reads: trace.chrome_event, main.gaps, main.segments, trace.pid_of_gpu, trace.tracked_span
CREATE VIEW track_segments AS
SELECT
    trace.pid_of_gpu(l.gpu) AS pid,
    1 AS tid,
    l.start_ns,
    l.end_ns,
    trace.chrome_event(
        l.cause, 'cause', l.start_ns, l.end_ns, s.zero_ns,
        ',"args":' || to_json(struct_pack(
            cause := l.cause,
            basis := l.basis,
            state := l.state,
            "call" := l."call",
            thread := l.thread,
            nvtx := l.nvtx,
            step := l.step,
            gap_ns := g.length_ns,
            before := g.before,
            after := coalesce(g.after, l.activity)
        ))
    ) AS event
FROM main.segments AS l
CROSS JOIN trace.tracked_span AS s
LEFT JOIN main.gaps AS g ON g.gap_id = l.gap_id;

COMMENT ON VIEW track_segments IS 'segments by their cause on the track of lost time of each GPU';
COMMENT ON COLUMN track_segments.pid IS 'as in tracks';
COMMENT ON COLUMN track_segments.tid IS 'as in tracks';
COMMENT ON COLUMN track_segments.event IS 'the event, as of chrome_event; its category is cause, and its arguments those of the segment and its gap';
