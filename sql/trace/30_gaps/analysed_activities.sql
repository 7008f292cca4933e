-- One row for each activity of the analysed time, cut to it; with options.device, only those of that GPU.
-- reads: activities, analysed_time, options
CREATE VIEW analysed_activities AS
SELECT
    a.activity_id, a.kind, a.gpu, a.pid, a.stream, a.name_id,
    a.global_tid, a.launch_start_ns, a.launch_end_ns,
    -- CASE takes half the time of greatest and least
    CASE WHEN a.start_ns < w.start_ns THEN w.start_ns ELSE a.start_ns END AS start_ns,
    CASE WHEN a.end_ns > w.end_ns THEN w.end_ns ELSE a.end_ns END AS end_ns
FROM activities AS a, analysed_time AS w, options AS c
WHERE a.end_ns > w.start_ns AND a.start_ns < w.end_ns AND a.end_ns > a.start_ns AND (c.device IS NULL OR a.gpu = c.device);

COMMENT ON VIEW analysed_activities IS 'the activities of the analysed time, cut to it';
COMMENT ON COLUMN analysed_activities.kind IS 'compute, communication or copy';
COMMENT ON COLUMN analysed_activities.pid IS 'process that launched it';
COMMENT ON COLUMN analysed_activities.name_id IS 'name of a kernel, in strings';
COMMENT ON COLUMN analysed_activities.global_tid IS 'launching thread; NULL where the trace has no call for the activity';
COMMENT ON COLUMN analysed_activities.start_ns IS 'start inside of it, ns';
COMMENT ON COLUMN analysed_activities.end_ns IS 'end inside of it, ns';
