-- The gaps on the track of lost time of each GPU.
-- reads: trace.chrome_event, main.gaps, trace.pid_of_gpu, trace.tracked_span
CREATE VIEW track_gaps AS
SELECT
    trace.pid_of_gpu(g.gpu) AS pid,
    1 AS tid,
    g.start_ns,
    g.end_ns,
    trace.chrome_event('gap', 'gap', g.start_ns, g.end_ns, s.zero_ns, '') AS event
FROM main.gaps AS g, trace.tracked_span AS s;

COMMENT ON VIEW track_gaps IS 'gaps on the track of lost time of each GPU';
COMMENT ON COLUMN track_gaps.pid IS 'as in tracks';
COMMENT ON COLUMN track_gaps.tid IS 'as in tracks';
COMMENT ON COLUMN track_gaps.event IS 'the event, as of chrome_event; its category is gap';
