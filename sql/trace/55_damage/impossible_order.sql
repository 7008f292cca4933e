-- One row for each kind of event whose times contradict other events: computing activities, calls, ranges, GIL states and times
-- of the profiler that take no time (in 166 sound traces only OS calls without a name do), activities that start before the call
-- that launches them, activities that end before one that was launched earlier on their stream starts, synchronize calls that
-- return before the last activity that they wait for has ended, activities that take longer than from their launch until such a
-- call returned (which does not depend on the clocks of CPU and GPU; in 234 sound traces at least 7 us are left), waits on
-- streams that run nothing, time of the profiler in which its thread makes a CUDA call, steps that go on long after the last
-- call, and ranges of which most lie after it, or before the recording.
-- reads: activities, calls, clock_tolerance_ns, gil_ranges, is_instant, last_events, lone_streams, nvtx_ranges
-- reads: one_gpu_processes, options, os_calls, overheads, profiler_overheads, recorded_events, step_ranges, stream_syncs
-- reads: stream_waits
CREATE TABLE impossible_order AS
WITH launched_activities AS NOT MATERIALIZED ( -- which would take another 50 MB for a million
    SELECT pid, stream, launch_start_ns, launch_end_ns, start_ns, end_ns FROM activities WHERE launch_end_ns IS NOT NULL
),

-- Where few calls wait for all streams, few activities have this witness, and to look for it takes 100 MB for a million.
waits_for_all AS (
    SELECT p.pid
    FROM one_gpu_processes AS p
    INNER JOIN (SELECT pid, count(*) AS syncs FROM stream_syncs WHERE stream IS NULL GROUP BY pid) AS s ON s.pid = p.pid
    WHERE p.activities <= 100 * s.syncs
),

awaited AS (
    SELECT s.end_ns AS returned_ns, a.launch_start_ns, a.start_ns, a.end_ns
    FROM (FROM stream_syncs WHERE stream IS NOT NULL) AS s
    ASOF INNER JOIN launched_activities AS a ON a.pid = s.pid AND a.stream = s.stream AND s.start_ns >= a.launch_end_ns
    SEMI JOIN lone_streams AS l ON l.pid = s.pid AND l.stream = s.stream
    UNION ALL
    SELECT s.end_ns, a.launch_start_ns, a.start_ns, a.end_ns
    FROM (FROM stream_syncs WHERE stream IS NULL) AS s
    ASOF INNER JOIN (FROM launched_activities WHERE pid IN (FROM waits_for_all)) AS a
        ON a.pid = s.pid AND s.start_ns >= a.launch_end_ns
),

launched AS (
    SELECT
        launch_start_ns, start_ns, end_ns,
        lag(launch_end_ns) OVER in_order AS launched_before_ns, lag(start_ns) OVER in_order AS started_before_ns
    FROM activities
    WHERE launch_start_ns IS NOT NULL
    WINDOW in_order AS (PARTITION BY pid, gpu, stream ORDER BY launch_start_ns, start_ns)
),

last_calls AS (
    SELECT list_min(max(end_ns, 4)) + 1000000000 AS end_ns
    FROM recorded_events
    WHERE kind IN ('launch', 'call', 'os_call') AND (SELECT window_from_ns FROM options) IS NULL
),

counted AS (
    SELECT 'computing activities that take no time' AS kind, count(*) FILTER (end_ns = start_ns) AS "rows", count(*) AS all_rows
    FROM activities
    WHERE kind = 'compute'
    UNION ALL
    SELECT 'CUDA calls that take no time', count(*) FILTER (is_instant(start_ns, end_ns)), count(*) FROM calls
    UNION ALL
    -- nsys 2023.2 has three in a sound trace
    SELECT 'OS calls that take no time', count(*) FILTER (is_instant(start_ns, end_ns)), count(*)
    FROM os_calls
    WHERE kind IS NOT NULL
    HAVING count(*) FILTER (is_instant(start_ns, end_ns)) > 5
    UNION ALL
    SELECT 'NVTX ranges that take no time', count(*) FILTER (is_instant(start_ns, end_ns)), count(*) FROM nvtx_ranges
    UNION ALL
    SELECT 'GIL states that take no time', count(*) FILTER (is_instant(start_ns, end_ns)), count(*) FROM gil_ranges
    UNION ALL
    SELECT 'times of the profiler of no length', count(*) FILTER (end_ns = start_ns), count(*) FROM overheads
    UNION ALL
    SELECT
        'activities that start before they are launched',
        count(*) FILTER (start_ns < launch_start_ns - clock_tolerance_ns()),
        count(*)
    FROM launched
    UNION ALL
    SELECT
        'activities that end before one that was launched earlier on their stream starts',
        count(*) FILTER (launched_before_ns <= launch_start_ns AND end_ns < started_before_ns - clock_tolerance_ns()),
        count(*)
    FROM launched
    UNION ALL
    SELECT
        'synchronize calls that return before what they wait for has ended',
        count(*) FILTER (end_ns > returned_ns + clock_tolerance_ns()),
        count(*)
    FROM awaited
    UNION ALL
    SELECT
        'activities that take longer than from their launch until they were waited for',
        count(*) FILTER (end_ns - start_ns > returned_ns - launch_start_ns),
        count(*)
    FROM awaited
    UNION ALL
    -- In 166 sound traces up to two thirds of them are on streams on which nothing was recorded, as those of JAX.
    SELECT 'waits on streams that run nothing', count(*) FILTER (u.stream IS NULL), count(*)
    FROM stream_waits AS w
    LEFT JOIN (SELECT DISTINCT pid, stream FROM activities) AS u ON u.pid = w.pid AND u.stream = w.stream
    WHERE w.stream IS NOT NULL
    HAVING count(*) > 20 AND count(*) FILTER (u.stream IS NULL) > 0.9 * count(*)
    UNION ALL
    SELECT
        'time of the profiler with a CUDA call inside',
        count(*) FILTER (c.end_ns < p.end_ns - clock_tolerance_ns()),
        count(*)
    FROM profiler_overheads AS p
    ASOF LEFT JOIN calls AS c ON c.global_tid = p.global_tid AND p.start_ns + clock_tolerance_ns() < c.start_ns
    UNION ALL
    SELECT
        'steps that go on long after the last call',
        count(*) FILTER (s.end_ns > e.steps_until_ns),
        count(*)
    FROM step_ranges AS s
    CROSS JOIN last_events AS e
    UNION ALL
    -- Few may go on with the CPU alone. 1 s: as in last_events.
    SELECT 'NVTX ranges outside of the recording', count(*) FILTER (n.start_ns > l.end_ns OR n.end_ns < -1000000000), count(*)
    FROM nvtx_ranges AS n
    CROSS JOIN last_calls AS l
    HAVING 2 * count(*) FILTER (n.start_ns > l.end_ns OR n.end_ns < -1000000000) > count(*)
)

SELECT kind, "rows", all_rows
FROM counted
WHERE "rows" > 0;

COMMENT ON TABLE impossible_order IS 'kinds of events whose times contradict other events; empty for a sound trace';
COMMENT ON COLUMN impossible_order.kind IS 'what cannot be, in words';
COMMENT ON COLUMN impossible_order."rows" IS 'number of events';
COMMENT ON COLUMN impossible_order.all_rows IS 'number of all such events';
