-- One row for each activity with impossible times. Such an activity would cover real gaps, so it is left out.
--
-- A stream runs its activities one after the other. So an activity cannot still run when the third one after it begins (the
-- next one may begin early, as a dependent launch does), and it cannot begin before the third one before it has ended. The
-- nodes of a CUDA graph share a launch and may run side by side. No activity goes on for an hour after the last call, and for
-- ten times as long as the recording. Only activities that take more than a twentieth of the recording are looked at.
-- reads: launches, recorded_activities
CREATE TABLE impossible_activities AS
WITH recorded AS (
    SELECT
        min(start_ns) AS start_ns,
        max(start_ns) AS last_start_ns,
        greatest(max(start_ns), (SELECT max(end_ns) FROM launches)) AS end_ns
    FROM recorded_activities
),

long_activities AS (
    SELECT
        a.activity_id,
        a.pid,
        a.gpu,
        a.stream,
        a.end_ns - r.end_ns > greatest(3600000000000, 10 * (r.end_ns - r.start_ns)) AS outlives
    FROM recorded_activities AS a, recorded AS r
    WHERE a.end_ns - a.start_ns > (r.last_start_ns - r.start_ns) / 20
),

neighbours AS (
    SELECT
        activity_id,
        end_ns > lead(start_ns, 3) OVER by_start AND correlation_id <> lead(correlation_id, 3) OVER by_start AS ends_late,
        start_ns < lag(end_ns, 3) OVER by_end AND correlation_id <> lag(correlation_id, 3) OVER by_end AS begins_early
    FROM recorded_activities
    WHERE (pid, gpu, stream) IN (SELECT (pid, gpu, stream) FROM long_activities)
    WINDOW
        by_start AS (PARTITION BY pid, gpu, stream ORDER BY start_ns, activity_id),
        by_end AS (PARTITION BY pid, gpu, stream ORDER BY end_ns, activity_id)
)

SELECT l.activity_id
FROM long_activities AS l
INNER JOIN neighbours AS n ON n.activity_id = l.activity_id
WHERE l.outlives OR n.ends_late OR n.begins_early;

COMMENT ON TABLE impossible_activities IS 'activities that are left out because their times are impossible';
COMMENT ON COLUMN impossible_activities.activity_id IS 'as in recorded_activities';
