-- Idle time before each activity: from the end of all that began before it on its GPU, or the start of the analysed time, to
-- its start.
-- reads: analysed_activities, analysed_time
CREATE TABLE idle_intervals AS
SELECT
    activity_id,
    gpu,
    pid,
    global_tid,
    launch_start_ns,
    launch_end_ns,
    coalesce(max(end_ns) OVER before, (SELECT start_ns FROM analysed_time)) AS idle_since_ns,
    start_ns AS idle_until_ns,
    max(launch_end_ns) OVER before AS launched_until_ns
FROM analysed_activities
WINDOW before AS (PARTITION BY gpu ORDER BY start_ns, activity_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
QUALIFY idle_until_ns > idle_since_ns;

COMMENT ON TABLE idle_intervals IS 'activities that find their GPU idle, with the idle time before each';
COMMENT ON COLUMN idle_intervals.pid IS 'process that launched it';
COMMENT ON COLUMN idle_intervals.global_tid IS 'launching thread; NULL where the trace has no call for the activity';
COMMENT ON COLUMN idle_intervals.idle_since_ns IS 'start of the idle time, ns since the session began';
COMMENT ON COLUMN idle_intervals.idle_until_ns IS 'its end, which is the start of the activity, ns';
COMMENT ON COLUMN idle_intervals.launched_until_ns IS 'CPU end of the latest launch among the activities before it, ns';
