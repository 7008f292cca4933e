-- Lost time on a track of each GPU: every slice by the name of its cause, those of a gap inside of the gap.
CREATE VIEW track_losses AS
WITH lost AS (
    SELECT gpu, start_ns, end_ns, 'gap' AS name, 'gap' AS category, NULL AS args FROM layers.gaps
    UNION ALL
    SELECT
        l.gpu, l.start_ns, l.end_ns, l.cause, 'cause',
        to_json(struct_pack(
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
    FROM main.slices AS l
    LEFT JOIN main.gaps AS g ON g.gap_id = l.gap_id
)

SELECT
    layers.pid_of_gpu(l.gpu) AS pid,
    1 AS tid,
    l.start_ns,
    l.end_ns,
    layers.chrome_event(l.name, l.category, l.start_ns, l.end_ns, s.zero_ns, coalesce(',"args":' || l.args, '')) AS event
FROM lost AS l, layers.tracked_span AS s;

COMMENT ON VIEW track_losses IS 'gaps, and all lost time in slices, on the track of each GPU';
COMMENT ON COLUMN track_losses.pid IS 'as in tracks';
COMMENT ON COLUMN track_losses.tid IS 'as in tracks';
COMMENT ON COLUMN track_losses.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN track_losses.end_ns IS 'end, ns';
COMMENT ON COLUMN track_losses.event IS 'the event, as of chrome_event; its category is gap or cause';
