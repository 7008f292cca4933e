-- The late part of each gap with its waits followed: while the launching thread waits for another launching thread of its
-- process, and that one does not wait itself, the row says what that one does. Where both wait, it says what the first thread of
-- the process does. If all of them wait, the row stays a wait.
-- reads: dispatcher_tiles, followed_waits, gaps, intersect_tiles, late_pieces, lost_run_ahead, own_work_ns, runs_code
-- reads: thread_states, waits_left
CREATE TABLE late_states AS
WITH followed AS (
    SELECT w.piece_id, w.start_ns, w.end_ns, s.state_id, s.state, s.name_id, s.global_tid, s.since_ns, s.until_ns
    FROM (
        SELECT piece_id, start_ns, end_ns, state_id FROM followed_waits WHERE state_id IS NOT NULL
        UNION ALL
        SELECT id, start_ns, end_ns, tile_id FROM intersect_tiles('waits_left', 'dispatcher_tiles')
    ) AS w
    LEFT JOIN thread_states AS s ON s.state_id = w.state_id
),

pieces AS (
    SELECT
        p.gap_id,
        coalesce(f.start_ns, p.start_ns) AS start_ns,
        coalesce(f.end_ns, p.end_ns) AS end_ns,
        -- of several threads at work, one that waits for a lock waits for another one of them
        f.state IS NOT NULL AND NOT coalesce(s.state = 'not_begun' AND f.state = 'lock', false) AS follows,
        CASE WHEN follows THEN f.state ELSE s.state END AS state,
        CASE WHEN follows THEN f.name_id ELSE s.name_id END AS name_id,
        CASE WHEN follows THEN f.global_tid ELSE p.global_tid END AS on_global_tid,
        -- for how long it lasts: while both threads stay in theirs
        greatest(s.since_ns, CASE WHEN follows THEN f.since_ns END) AS since_ns,
        least(s.until_ns, CASE WHEN follows THEN f.until_ns END) AS until_ns
    FROM late_pieces AS p
    LEFT JOIN thread_states AS s ON s.state_id = p.state_id
    LEFT JOIN followed AS f ON f.piece_id = p.piece_id
),

-- launches after a long wait for something else follow that wait
waited AS (
    SELECT gap_id, min(start_ns) AS waits_from_ns
    FROM pieces
    WHERE
        state IN ('wait', 'sleep', 'io', 'lock') AND end_ns - start_ns >= own_work_ns()
        AND gap_id IN (SELECT gap_id FROM lost_run_ahead WHERE spans)
    GROUP BY gap_id
)

SELECT
    CAST(row_number() OVER () AS INTEGER) AS id,
    g.pid AS track,
    p.gap_id,
    g.gpu,
    p.start_ns,
    p.end_ns,
    CASE
        WHEN NOT runs_code(p.state) THEN p.state
        WHEN
            least(g.launch_start_ns, p.until_ns)
            - greatest(coalesce(g.launched_until_ns, g.start_ns), p.since_ns) >= own_work_ns() THEN 'run'
        ELSE 'launch'
    END AS segment_state,
    p.name_id,
    p.on_global_tid,
    -- the launch path right after a blocking call would have run ahead in any case
    coalesce(
        p.start_ns < r.ahead_until_ns OR (r.spans AND segment_state = 'launch' AND (p.start_ns > w.waits_from_ns) IS NOT true),
        false
    ) AS lacks_run_ahead
FROM pieces AS p
INNER JOIN gaps AS g ON g.gap_id = p.gap_id
LEFT JOIN lost_run_ahead AS r ON r.gap_id = p.gap_id
LEFT JOIN waited AS w ON w.gap_id = p.gap_id;

COMMENT ON TABLE late_states IS 'gaps while the CPU is late, cut where the state of the launching thread, or of the one that it waits for, changes';
COMMENT ON COLUMN late_states.id IS 'unique number, in no order';
COMMENT ON COLUMN late_states.track IS 'process of the launching thread';
COMMENT ON COLUMN late_states.segment_state IS 'what the thread does, as in segments';
COMMENT ON COLUMN late_states.name_id IS 'the call that makes the state, in strings';
COMMENT ON COLUMN late_states.on_global_tid IS 'the thread whose state it is: the launching one, or the one that it waits for';
COMMENT ON COLUMN late_states.lacks_run_ahead IS 'as in segments';
