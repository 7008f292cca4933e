-- One row for each kind of event of which some take no time: in 166 sound traces only OS calls without a name do.
-- reads: activities, calls, gil_ranges, is_instant, nvtx_ranges, os_calls, overheads
CREATE TABLE instant_events AS
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
SELECT 'times of the profiler of no length', count(*) FILTER (end_ns = start_ns), count(*) FROM overheads;

COMMENT ON TABLE instant_events IS 'kinds of events that take time, and how many of them take none';
COMMENT ON COLUMN instant_events.kind IS 'what cannot be, in words';
