-- The same, with waits followed: while a submitter waits to be given something and its peer is not waiting too,
-- what the peer does is why. What remains a wait here is a wait for somebody else.
CREATE TABLE followed_states AS
WITH mine AS (
    SELECT global_tid, start_ns AS at_ns, state, name_id FROM thread_states
    UNION ALL
    -- where a thread's states end, what its peer does later says nothing of it
    SELECT global_tid, max(end_ns), 'run', NULL FROM thread_states GROUP BY global_tid
),

peers AS (
    SELECT s.global_tid, p.start_ns AS at_ns, p.state, p.name_id
    FROM submitters AS s
    INNER JOIN thread_states AS p ON p.global_tid = s.peer_global_tid
),

marks AS (
    SELECT
        m.global_tid, m.at_ns, true AS own, m.state, m.name_id, m.at_ns AS since_ns,
        coalesce(m.state = 'wait' AND p.state <> 'wait', false) AS followed, p.state AS peer_state, p.name_id AS peer_name_id
    FROM mine AS m
    ASOF LEFT JOIN peers AS p ON p.global_tid = m.global_tid AND m.at_ns >= p.at_ns
    UNION ALL
    -- a mark of the peer changes nothing unless this thread waits
    SELECT p.global_tid, p.at_ns, false, m.state, m.name_id, m.at_ns, p.state <> 'wait', p.state, p.name_id
    FROM peers AS p
    ASOF INNER JOIN mine AS m ON m.global_tid = p.global_tid AND p.at_ns > m.at_ns
    WHERE m.state = 'wait'
)

SELECT
    CAST(row_number() OVER (ORDER BY m.global_tid, m.at_ns, m.own) AS INTEGER) AS state_id,
    m.global_tid,
    m.at_ns AS start_ns,
    lead(m.at_ns) OVER (PARTITION BY m.global_tid ORDER BY m.at_ns, m.own) AS end_ns,
    CASE WHEN m.followed THEN m.peer_state ELSE m.state END AS state,
    CASE WHEN m.followed THEN m.peer_name_id ELSE m.name_id END AS name_id,
    CASE WHEN m.followed THEN m.at_ns ELSE m.since_ns END AS since_ns,
    CASE WHEN m.followed THEN s.peer_global_tid ELSE m.global_tid END AS on_global_tid
FROM marks AS m
INNER JOIN submitters AS s ON s.global_tid = m.global_tid
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
