-- The activities of the window with names.
-- reads: trace.activity_names, trace.thread_names, trace.window_activities
CREATE VIEW main.window_activities AS
SELECT a.* EXCLUDE (name_id, kind), a.kind, n.name, a.end_ns - a.start_ns AS length_ns, t.thread, t.process
FROM trace.window_activities AS a
INNER JOIN trace.activity_names AS n ON n.activity_id = a.activity_id
LEFT JOIN trace.thread_names AS t ON t.global_tid = a.global_tid;

COMMENT ON VIEW main.window_activities IS 'the activities that run in the window, cut to it, with names';
COMMENT ON COLUMN main.window_activities.name IS 'as in activities';
COMMENT ON COLUMN main.window_activities.length_ns IS 'how long it ran inside the window, ns';
COMMENT ON COLUMN main.window_activities.thread IS 'name of the launching thread';
