-- The part of each gap in which the CPU was late, cut wherever the launching thread's state changes, and where the
-- run-ahead that a blocking call took would have been used up.
-- reads: gaps, intersect_tiles, lost_run_ahead, wait_chains
CREATE TABLE late_states AS
WITH late AS (
    SELECT
        g.gap_id, g.pid, g.global_tid AS track, g.start_ns,
        CASE WHEN l.ahead_until_ns > g.start_ns THEN least(l.ahead_until_ns, g.late_until_ns) ELSE g.late_until_ns END AS end_ns
    FROM gaps AS g
    LEFT JOIN lost_run_ahead AS l ON l.gap_id = g.gap_id
    UNION ALL
    SELECT g.gap_id, g.pid, g.global_tid, l.ahead_until_ns, g.late_until_ns
    FROM lost_run_ahead AS l
    INNER JOIN gaps AS g ON g.gap_id = l.gap_id AND l.ahead_until_ns > g.start_ns
),

states AS (
    SELECT state_id AS id, global_tid AS track, start_ns, end_ns FROM wait_chains
)

SELECT gap_id, pid, start_ns, end_ns, tile_id AS state_id
FROM intersect_tiles('late', 'states');

COMMENT ON TABLE late_states IS 'gaps while the CPU is late, cut where the state of the launching thread changes';
COMMENT ON COLUMN late_states.gap_id IS 'as in gaps';
COMMENT ON COLUMN late_states.pid IS 'process of the launching thread';
COMMENT ON COLUMN late_states.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN late_states.end_ns IS 'end, ns';
COMMENT ON COLUMN late_states.state_id IS 'what the launching thread does, in wait_chains; NULL where nothing is known of it';
