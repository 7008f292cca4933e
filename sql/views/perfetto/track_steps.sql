-- The steps and the window, each on a track of its own.
-- reads: trace.chrome_event, trace.pid_of_steps, trace.steps, trace.touches, trace.tracked_span, window, trace.window_steps
CREATE VIEW track_steps AS
WITH marks AS (
    SELECT 1 AS tid, x.start_ns, x.end_ns, format('step {}', x.step) AS name, 'step' AS category, x.step AS number
    FROM trace.steps AS x
    UNION ALL
    SELECT 2, start_ns, end_ns, 'window', 'window', NULL FROM trace."window"
)

SELECT
    trace.pid_of_steps() AS pid,
    m.tid,
    m.start_ns,
    m.end_ns,
    trace.chrome_event(
        m.name, m.category, m.start_ns, m.end_ns, s.zero_ns,
        coalesce(format(',"args":{{"step":{:d},"in_window":{}}}', m.number, i.step IS NOT NULL), '')
    ) AS event
FROM marks AS m
CROSS JOIN trace.tracked_span AS s
LEFT JOIN trace.window_steps AS i ON i.step = m.number
WHERE trace.touches(m.start_ns, m.end_ns, s.from_ns, s.to_ns);

COMMENT ON VIEW track_steps IS 'steps and the window on tracks of their own';
COMMENT ON COLUMN track_steps.pid IS 'as in tracks';
COMMENT ON COLUMN track_steps.tid IS 'as in tracks';
COMMENT ON COLUMN track_steps.event IS 'the event, as of chrome_event; its category is step or window';
