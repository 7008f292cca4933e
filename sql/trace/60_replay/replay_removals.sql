-- CPU time that a replay does not spend without a cause: that of its segments in gaps; and the whole of what makes them, since what
-- hides behind the GPU today is on the CPU's path tomorrow: NVTX ranges that are named for it, states of threads that its file
-- states, and the beginning of code that only a wait for the GPU kept from hiding.
-- reads: causes, lost_segments, named_ranges, nvtx_events, pid_of, removed_states, thread_states
CREATE VIEW replay_removals AS
WITH code AS (
    SELECT s.cause, s.pid, s.gap_id, s.state, s.start_ns, s.end_ns
    FROM lost_segments AS s
    INNER JOIN causes AS c ON c.cause = s.cause AND c.removes_segments
    WHERE s.gap_id IS NOT NULL
)

SELECT cause, pid, start_ns, end_ns
FROM code
UNION ALL
SELECT c.cause, c.pid, b.start_ns, b.end_ns
FROM code AS c
INNER JOIN lost_segments AS b ON b.gap_id = c.gap_id AND b.end_ns = c.start_ns
WHERE c.state = 'run' AND b.state = 'run' AND b.lacks_run_ahead
UNION ALL
SELECT n.cause, e.track, e.start_ns, e.end_ns
FROM nvtx_events AS e
INNER JOIN named_ranges AS n ON n.range_id = e.id
UNION ALL
SELECT r.cause, pid_of(t.global_tid), t.start_ns, t.end_ns
FROM thread_states AS t
INNER JOIN removed_states AS r ON r.state = t.state;

COMMENT ON VIEW replay_removals IS 'CPU time that a cause takes; intervals of one cause may overlap';
COMMENT ON COLUMN replay_removals.cause IS 'id of the cause';
COMMENT ON COLUMN replay_removals.pid IS 'process id';
COMMENT ON COLUMN replay_removals.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN replay_removals.end_ns IS 'end, ns';
