-- The same, with waits followed: while a submitter waits to be given something and its peer is not waiting too,
-- what the peer does is why. What remains a wait here is a wait for somebody else.
CREATE TABLE followed_states AS
WITH marks AS (
    SELECT global_tid, start_ns AS at_ns, event_id, state, name_id, true AS own FROM thread_states
    UNION ALL
    -- where a thread's states end, what its peer does later says nothing of it
    SELECT global_tid, max(end_ns), NULL, 'run', NULL, true FROM thread_states GROUP BY global_tid
    UNION ALL
    SELECT s.global_tid, p.start_ns, p.event_id, p.state, p.name_id, false
    FROM submitters AS s
    INNER JOIN thread_states AS p ON p.global_tid = s.peer_global_tid
),

carried AS (
    SELECT
        global_tid,
        at_ns,
        own,
        row_number() OVER in_order AS seq,
        last_value(CASE WHEN own THEN struct_pack(state := state, name_id := name_id, since_ns := at_ns) END IGNORE NULLS)
            OVER in_order AS mine,
        last_value(CASE WHEN NOT own THEN struct_pack(state := state, name_id := name_id, since_ns := at_ns) END IGNORE NULLS)
            OVER in_order AS peers
    FROM marks
    WINDOW in_order AS (PARTITION BY global_tid ORDER BY at_ns, own, event_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
),

resolved AS (
    SELECT
        global_tid,
        at_ns,
        seq,
        coalesce(mine.state = 'wait' AND peers.state <> 'wait', false) AS followed,
        CASE WHEN mine.state = 'wait' AND peers.state <> 'wait' THEN peers ELSE mine END AS now
    FROM carried
    -- a mark of the peer changes nothing unless this thread waits
    WHERE own OR mine.state = 'wait'
)

SELECT
    CAST(row_number() OVER (ORDER BY r.global_tid, r.seq) AS INTEGER) AS state_id,
    r.global_tid,
    r.at_ns AS start_ns,
    lead(r.at_ns) OVER (PARTITION BY r.global_tid ORDER BY r.seq) AS end_ns,
    coalesce(r.now.state, 'run') AS state,
    r.now.name_id AS name_id,
    CASE WHEN r.followed THEN greatest(r.now.since_ns, r.at_ns) ELSE r.now.since_ns END AS since_ns,
    CASE WHEN r.followed THEN s.peer_global_tid ELSE r.global_tid END AS on_global_tid
FROM resolved AS r
INNER JOIN submitters AS s ON s.global_tid = r.global_tid
QUALIFY end_ns > start_ns;

COMMENT ON TABLE followed_states IS 'thread_states with waits for the peer thread replaced by what the peer does';
COMMENT ON COLUMN followed_states.state_id IS 'number in order of thread and start';
COMMENT ON COLUMN followed_states.global_tid IS 'the submitter, in threads';
COMMENT ON COLUMN followed_states.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN followed_states.end_ns IS 'end, ns';
COMMENT ON COLUMN followed_states.state IS 'as in thread_states; a wait here is a wait for somebody other than the peer';
COMMENT ON COLUMN followed_states.name_id IS 'the call that makes the state, in strings';
COMMENT ON COLUMN followed_states.since_ns IS 'when that state began on its thread, ns';
COMMENT ON COLUMN followed_states.on_global_tid IS 'the thread whose state this is: the submitter or its peer';
