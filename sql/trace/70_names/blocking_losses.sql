-- What each blocking call cost: the lost time while it held the launching thread, in the copy that it made, and after it, while
-- the run-ahead that it took is lacking.
-- reads: trace.activities, trace.blocking_calls, trace.lost_run_ahead, trace.segments
CREATE VIEW blocking_losses AS
WITH charged AS (
    SELECT c.global_tid, c.start_ns, s.segment_id, s.end_ns - s.start_ns AS length_ns
    FROM (SELECT * FROM trace.segments WHERE state IN ('sync', 'upload', 'memory')) AS s
    ASOF INNER JOIN trace.blocking_calls AS c ON c.global_tid = s.on_global_tid AND s.start_ns >= c.start_ns
    WHERE s.start_ns < c.end_ns
    UNION
    SELECT c.global_tid, c.start_ns, s.segment_id, s.end_ns - s.start_ns
    FROM (SELECT * FROM trace.segments WHERE state = 'copy') AS s
    INNER JOIN trace.activities AS a ON a.activity_id = s.activity_id
    ASOF INNER JOIN trace.blocking_calls AS c ON c.global_tid = a.global_tid AND a.launch_start_ns >= c.start_ns
    WHERE a.launch_start_ns < c.end_ns
    UNION
    SELECT c.global_tid, c.start_ns, s.segment_id, s.end_ns - s.start_ns
    FROM (SELECT * FROM trace.segments WHERE lacks_run_ahead AND state NOT IN ('sync', 'upload', 'memory')) AS s
    INNER JOIN trace.lost_run_ahead AS h ON h.gap_id = s.gap_id
    INNER JOIN trace.blocking_calls AS c ON c.global_tid = h.blocked_on_global_tid AND c.start_ns = h.blocked_since_ns
)

SELECT global_tid, start_ns, CAST(sum(length_ns) AS BIGINT) AS lost_ns
FROM charged
GROUP BY global_tid, start_ns;

COMMENT ON VIEW blocking_losses IS 'what each blocking call cost; calls that cost nothing have no row';
COMMENT ON COLUMN blocking_losses.start_ns IS 'CPU start, as in blocking_calls';
COMMENT ON COLUMN blocking_losses.lost_ns IS 'lost time in it, in its own copy, and after it while its run-ahead is lacking, ns';
