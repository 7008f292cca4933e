-- The first activity of each GPU after the analysed time. Where that is a part of what was recorded, it ends the last gap.
-- reads: activities, analysed_time
CREATE TABLE next_activities AS
SELECT activity_id, gpu, pid, global_tid, launch_start_ns, launch_end_ns, start_ns
FROM activities
WHERE end_ns > start_ns AND start_ns >= (SELECT end_ns FROM analysed_time)
QUALIFY row_number() OVER (PARTITION BY gpu ORDER BY start_ns, activity_id) = 1;

COMMENT ON TABLE next_activities IS 'the first activity of each GPU after the analysed time';
COMMENT ON COLUMN next_activities.pid IS 'process that launched it';
COMMENT ON COLUMN next_activities.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN next_activities.global_tid IS 'launching thread; NULL where the trace has no call for the activity';
