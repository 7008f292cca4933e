-- One row for each way in which a synchronize call contradicts the last activity that it waits for: the call returns before that
-- has ended, or the activity takes longer than from its launch until the call returned. The second does not depend on the clocks
-- of CPU and GPU; in 234 sound traces at least 7 us are left.
-- reads: activities, clock_tolerance_ns, lone_streams, one_gpu_processes, stream_syncs
CREATE TABLE early_returns AS
WITH launched AS NOT MATERIALIZED ( -- which would take another 50 MB for a million
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
    ASOF INNER JOIN launched AS a ON a.pid = s.pid AND a.stream = s.stream AND s.start_ns >= a.launch_end_ns
    SEMI JOIN lone_streams AS l ON l.pid = s.pid AND l.stream = s.stream
    UNION ALL
    SELECT s.end_ns, a.launch_start_ns, a.start_ns, a.end_ns
    FROM (FROM stream_syncs WHERE stream IS NULL) AS s
    ASOF INNER JOIN (FROM launched WHERE pid IN (FROM waits_for_all)) AS a ON a.pid = s.pid AND s.start_ns >= a.launch_end_ns
)

SELECT
    'synchronize calls that return before what they wait for has ended' AS kind,
    count(*) FILTER (end_ns > returned_ns + clock_tolerance_ns()) AS "rows",
    count(*) AS all_rows
FROM awaited
UNION ALL
SELECT
    'activities that take longer than from their launch until they were waited for',
    count(*) FILTER (end_ns - start_ns > returned_ns - launch_start_ns),
    count(*)
FROM awaited;

COMMENT ON TABLE early_returns IS 'how many synchronize calls contradict the activity that they wait for';
COMMENT ON COLUMN early_returns.kind IS 'what cannot be, in words';
