-- CPU time that a replay does not spend where a cause is removed: that of the cause's segments in gaps, and what belongs to
-- them outside of gaps, since CPU time that is hidden behind the GPU now would be seen once the rest is gone. The latter is
-- NVTX ranges that are named for the cause, states of threads that its file lists under `remove`, and the first part of its
-- code in a gap, which was charged to a blocking call. Where a synchronize call does something else than wait, that goes too.
-- Of code for which another thread waits, half stays: without the lock both threads run theirs at once.
-- reads: causes, launching_threads, locked_out, main_ranges, named_ranges, pid_of, removed_states, state_rules
-- reads: thread_states, window_segments
CREATE VIEW replay_removals AS
WITH code AS (
    SELECT
        s.cause, s.pid, s.gap_id, s.state, s.start_ns,
        CASE
            WHEN s.cause = 'lock_contention' AND s.segment_id IN (FROM locked_out) THEN (s.start_ns + s.end_ns) // 2
            ELSE s.end_ns
        END AS end_ns
    FROM window_segments AS s
    INNER JOIN causes AS c ON c.cause = s.cause
    WHERE
        s.gap_id IS NOT NULL
        AND (c.removes_segments OR (s.state = 'sync' AND s.cause NOT IN (SELECT cause FROM state_rules WHERE state = 'sync')))
)

SELECT cause, pid, start_ns, end_ns
FROM code
UNION ALL
SELECT c.cause, c.pid, b.start_ns, b.end_ns
FROM code AS c
INNER JOIN window_segments AS b ON b.gap_id = c.gap_id AND b.end_ns = c.start_ns
WHERE c.state = 'run' AND b.state = 'run' AND b.cause NOT IN (SELECT cause FROM causes WHERE removes_segments)
UNION ALL
SELECT n.cause, e.track, e.start_ns, e.end_ns
FROM main_ranges AS e
INNER JOIN named_ranges AS n ON n.range_id = e.id
UNION ALL
SELECT r.cause, pid_of(t.global_tid), t.start_ns, t.end_ns
FROM thread_states AS t
INNER JOIN removed_states AS r ON r.state = t.state
WHERE t.global_tid IN (SELECT global_tid FROM launching_threads);

COMMENT ON VIEW replay_removals IS 'CPU time that goes where a cause is removed; intervals of one cause may overlap';
