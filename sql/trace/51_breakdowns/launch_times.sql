-- When the activities of the window were launched, on the track of their process. One that spans another regime is two rows of
-- the window, and was launched once.
-- reads: window_activities
CREATE VIEW launch_times AS
SELECT DISTINCT activity_id AS id, pid AS track, launch_start_ns AS at_ns
FROM window_activities;

COMMENT ON VIEW launch_times IS 'launches of the activities of the window';
COMMENT ON COLUMN launch_times.id IS 'activity_id of activities';
COMMENT ON COLUMN launch_times.track IS 'process';
COMMENT ON COLUMN launch_times.at_ns IS 'CPU start of the launch, ns; NULL where the trace has no call for the activity';
