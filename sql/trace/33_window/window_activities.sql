-- One row for each activity that runs in the window, cut to its regimes.
-- reads: analysed_activities, window_regimes
CREATE VIEW window_activities AS
SELECT
    a.activity_id, a.kind, a.gpu, a.pid, a.stream, a.name_id,
    a.global_tid, a.launch_start_ns, a.launch_end_ns,
    CASE WHEN a.start_ns < w.start_ns THEN w.start_ns ELSE a.start_ns END AS start_ns,
    CASE WHEN a.end_ns > w.end_ns THEN w.end_ns ELSE a.end_ns END AS end_ns,
    w.regime
FROM analysed_activities AS a, window_regimes AS w
WHERE a.end_ns > w.start_ns AND a.start_ns < w.end_ns;

COMMENT ON VIEW window_activities IS 'the activities that run in the window, cut to it';
COMMENT ON COLUMN window_activities.kind IS 'compute, communication or copy';
COMMENT ON COLUMN window_activities.pid IS 'process that launched it';
COMMENT ON COLUMN window_activities.global_tid IS 'launching thread; NULL where the trace has no call for the activity';
COMMENT ON COLUMN window_activities.start_ns IS 'start inside the window, ns';
COMMENT ON COLUMN window_activities.end_ns IS 'end inside the window, ns';
