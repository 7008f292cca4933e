-- The part of each gap in which the CPU was late, cut where the run-ahead that a blocking call took would have been used up. Gaps
-- that end with an activity whose launch is not in the trace are left out.
-- reads: gaps, lost_run_ahead
CREATE VIEW late_time AS
SELECT
    g.gap_id AS id,
    g.global_tid AS track,
    g.start_ns,
    CASE WHEN l.ahead_until_ns > g.start_ns THEN least(l.ahead_until_ns, g.late_until_ns) ELSE g.late_until_ns END AS end_ns
FROM gaps AS g
LEFT JOIN lost_run_ahead AS l ON l.gap_id = g.gap_id
WHERE g.launch_start_ns IS NOT NULL
UNION ALL
SELECT g.gap_id, g.global_tid, l.ahead_until_ns, g.late_until_ns
FROM lost_run_ahead AS l
INNER JOIN gaps AS g ON g.gap_id = l.gap_id AND l.ahead_until_ns > g.start_ns
WHERE g.launch_start_ns IS NOT NULL;

COMMENT ON VIEW late_time IS 'gaps while the CPU is late';
COMMENT ON COLUMN late_time.id IS 'gap_id of gaps';
COMMENT ON COLUMN late_time.track IS 'launching thread, global_tid';
