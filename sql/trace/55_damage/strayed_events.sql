-- One row for each kind of event of which some lie where they cannot: waits on streams that run nothing, times of the profiler in
-- which its thread makes a CUDA call, steps that go on long after the last call, and ranges after it or before the recording.
-- reads: activities, calls, clock_tolerance_ns, last_events, nvtx_ranges, partly_read, profiler_overheads
-- reads: recorded_events, step_ranges, stream_waits
CREATE TABLE strayed_events AS
WITH last_calls AS (
    -- a trace whose times were shifted may begin before 0
    SELECT least(0, min(start_ns)) - 1000000000 AS start_ns, list_min(max(end_ns, 4)) + 1000000000 AS end_ns
    FROM recorded_events
    WHERE kind IN ('launch', 'call', 'os_call') AND NOT EXISTS (FROM partly_read)
)

-- In 166 sound traces up to two thirds of them are on streams on which nothing was recorded, as those of JAX.
SELECT
    'waits on streams that run nothing' AS kind,
    count(*) FILTER (u.stream IS NULL) AS "rows",
    count(*) AS all_rows
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
SELECT 'steps that go on long after the last call', count(*) FILTER (s.end_ns > e.steps_until_ns), count(*)
FROM step_ranges AS s
CROSS JOIN last_events AS e
UNION ALL
-- Few may go on with the CPU alone. 1 s: as in last_events.
SELECT 'NVTX ranges outside of the recording', count(*) FILTER (n.start_ns > l.end_ns OR n.end_ns < l.start_ns), count(*)
FROM nvtx_ranges AS n
CROSS JOIN last_calls AS l
HAVING 2 * count(*) FILTER (n.start_ns > l.end_ns OR n.end_ns < l.start_ns) > count(*);

COMMENT ON TABLE strayed_events IS 'kinds of events, and how many of them lie where they cannot';
COMMENT ON COLUMN strayed_events.kind IS 'what cannot be, in words';
