-- One row for each activity that runs in the window, cut to the window; with options.device, only those of that GPU.
-- reads: activities, options, window
CREATE VIEW window_activities AS
SELECT
    o.activity_id, o.kind, o.gpu, o.pid, o.stream, o.name_id,
    o.global_tid, o.launch_start_ns, o.launch_end_ns,
    -- CASE takes half the time of greatest and least
    CASE WHEN o.start_ns < w.start_ns THEN w.start_ns ELSE o.start_ns END AS start_ns,
    CASE WHEN o.end_ns > w.end_ns THEN w.end_ns ELSE o.end_ns END AS end_ns
FROM activities AS o, "window" AS w, options AS c
WHERE o.end_ns > w.start_ns AND o.start_ns < w.end_ns AND o.end_ns > o.start_ns AND (c.device IS NULL OR o.gpu = c.device);

COMMENT ON VIEW window_activities IS 'the activities that run in the window, cut to it';
COMMENT ON COLUMN window_activities.activity_id IS 'as in activities';
COMMENT ON COLUMN window_activities.kind IS 'compute, communication or copy';
COMMENT ON COLUMN window_activities.gpu IS 'physical GPU';
COMMENT ON COLUMN window_activities.pid IS 'process that launched it';
COMMENT ON COLUMN window_activities.name_id IS 'name of a kernel, in strings';
COMMENT ON COLUMN window_activities.global_tid IS 'launching thread; NULL where the trace has no call for the activity';
COMMENT ON COLUMN window_activities.launch_start_ns IS 'CPU start of the launching call, ns';
COMMENT ON COLUMN window_activities.launch_end_ns IS 'CPU end of the launching call, ns';
COMMENT ON COLUMN window_activities.stream IS 'CUDA stream';
COMMENT ON COLUMN window_activities.start_ns IS 'start inside the window, ns';
COMMENT ON COLUMN window_activities.end_ns IS 'end inside the window, ns';
