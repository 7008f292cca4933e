-- All lost time on the track of each GPU: every slice by the name of its cause, those of a gap inside of the gap.
CREATE VIEW track_slices AS
SELECT
    layers.pid_of_gpu(l.gpu) AS pid,
    1 AS tid,
    l.start_ns,
    l.end_ns,
    layers.chrome_event(
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
            after := coalesce(g.after, l.op)
        ))
    ) AS event
FROM main.slices AS l
CROSS JOIN layers.tracked_span AS s
LEFT JOIN main.gaps AS g ON g.gap_id = l.gap_id;

COMMENT ON VIEW track_slices IS 'slices by their cause on the track of lost time of each GPU';
COMMENT ON COLUMN track_slices.pid IS 'as in tracks';
COMMENT ON COLUMN track_slices.tid IS 'as in tracks';
COMMENT ON COLUMN track_slices.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN track_slices.end_ns IS 'end, ns';
COMMENT ON COLUMN track_slices.event IS 'the event, as of chrome_event; its category is cause, and its arguments those of the slice and its gap';
