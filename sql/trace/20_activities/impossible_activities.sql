-- One row for each activity whose times cannot be, because other rows contradict them. Such an activity would cover real gaps,
-- so it is left out.
--
-- Every time has witnesses. An activity starts after the call that launched it. A stream runs its activities one after the other:
-- before this one ends the next one may begin, as a dependent launch does, but not end, and the one after it not even begin.
-- A synchronize call returns after what was submitted before it. Nothing goes on long after the last call of the program. In 92
-- sound traces an activity starts 3 us after its launch at the earliest, ends 3 us before the synchronize call at the latest,
-- and no other ends inside of it.
--
-- The nodes of a CUDA graph share a launch and may run side by side. Only activities of 100 us and longer are looked at: shorter
-- ones cover nothing that matters.
-- reads: clock_tolerance_ns, last_events, launches, lone_streams, one_gpu_processes, recorded_activities, stream_syncs
CREATE TABLE impossible_activities AS
WITH long_activities AS (
    SELECT a.*, l.start_ns AS launch_start_ns, l.end_ns AS launch_end_ns
    FROM (FROM recorded_activities WHERE end_ns - start_ns > 100000) AS a
    LEFT JOIN launches AS l ON l.pid = a.pid AND l.correlation_id = a.correlation_id
),

neighbours AS (
    SELECT
        activity_id,
        (end_ns > lead(end_ns) OVER by_start AND correlation_id <> lead(correlation_id) OVER by_start)
        OR (end_ns > lead(start_ns, 3) OVER by_start AND correlation_id <> lead(correlation_id, 3) OVER by_start) AS ends_late,
        start_ns < lag(end_ns, 3) OVER by_end AND correlation_id <> lag(correlation_id, 3) OVER by_end AS begins_early
    FROM recorded_activities
    WHERE (pid, gpu, stream) IN (SELECT (pid, gpu, stream) FROM long_activities)
    WINDOW
        by_start AS (PARTITION BY pid, gpu, stream ORDER BY start_ns, activity_id),
        by_end AS (PARTITION BY pid, gpu, stream ORDER BY end_ns, activity_id)
),

waited_for AS (
    SELECT a.activity_id, s.end_ns
    FROM long_activities AS a
    ASOF JOIN (FROM stream_syncs WHERE stream IS NOT NULL) AS s
        ON s.pid = a.pid AND s.stream = a.stream AND a.launch_end_ns <= s.start_ns
    SEMI JOIN lone_streams AS l ON l.pid = a.pid AND l.stream = a.stream
    UNION ALL
    SELECT a.activity_id, s.end_ns
    FROM long_activities AS a
    ASOF JOIN (FROM stream_syncs WHERE stream IS NULL AND pid IN (SELECT pid FROM one_gpu_processes)) AS s
        ON s.pid = a.pid AND a.launch_end_ns <= s.start_ns
)

SELECT DISTINCT a.activity_id
FROM long_activities AS a
INNER JOIN neighbours AS n ON n.activity_id = a.activity_id
LEFT JOIN waited_for AS w ON w.activity_id = a.activity_id
CROSS JOIN last_events AS e
WHERE
    n.ends_late
    OR n.begins_early
    -- if most start before their launch, the clocks of CPU and GPU differ
    OR (
        a.start_ns < a.launch_start_ns - clock_tolerance_ns()
        AND (SELECT 2 * count(*) FILTER (start_ns < launch_start_ns - clock_tolerance_ns()) <= count(*) FROM long_activities)
    )
    OR a.end_ns > w.end_ns + clock_tolerance_ns()
    OR a.end_ns > e.activities_until_ns;

COMMENT ON TABLE impossible_activities IS 'activities that are left out because other rows contradict their times';
