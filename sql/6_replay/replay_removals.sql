-- CPU time that would not be spent without a cause: its slices; and the whole of what makes them, since what hides behind
-- the GPU today is on the CPU's path tomorrow: ranges named after the cause, its calls, and the beginning of code that only a
-- wait for the GPU kept from hiding.
CREATE VIEW replay_removals AS
-- what follows a call that allocates or frees stays, and hides again; launches, waits and queues are no time of the CPU's own
WITH spent AS (
    SELECT CAST(s.cause AS VARCHAR) AS cause, s.gap_id, s.state, s.start_ns, s.end_ns
    FROM settled AS s
    INNER JOIN replay_window AS w ON w.pid = s.pid
    WHERE s.gap_id IS NOT NULL
        AND s.cause NOT IN ('launch_bound', 'host_sync', 'memory_management', 'queue_latency', 'stream_dependency', 'unexplained')
)

SELECT cause, start_ns, end_ns
FROM spent
UNION ALL
SELECT s.cause, b.start_ns, b.end_ns
FROM spent AS s
INNER JOIN settled AS b ON b.gap_id = s.gap_id AND b.end_ns = s.start_ns
WHERE s.state = 'run' AND b.state = 'run' AND b.cause = 'host_sync'
UNION ALL
SELECT h.cause, n.start_ns, n.end_ns
FROM nvtx_events AS n
INNER JOIN range_hints AS h ON h.range_id = n.event_id
INNER JOIN replay_window AS w ON w.pid = n.track
UNION ALL
SELECT
    CASE t.state
        WHEN 'lock' THEN 'lock_contention'
        WHEN 'memory' THEN 'memory_management'
        WHEN 'module' THEN 'module_loading'
        ELSE 'profiler'
    END,
    t.start_ns,
    t.end_ns
FROM thread_states AS t
INNER JOIN replay_window AS w ON w.pid = pid_of(t.global_tid)
WHERE t.state IN ('lock', 'memory', 'module', 'profiler');

COMMENT ON VIEW replay_removals IS 'CPU time that a cause takes; intervals of one cause may overlap';
COMMENT ON COLUMN replay_removals.cause IS 'id of the cause';
COMMENT ON COLUMN replay_removals.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN replay_removals.end_ns IS 'end, ns';
