-- What each launching thread does at each instant, with its waits followed: while it waits for another launching thread of its
-- process, and that thread does not wait itself, the row says what that thread does. A `wait` that remains is for somebody
-- else.
-- reads: intersect_tiles, launching_threads, thread_states
CREATE TABLE wait_chains AS
WITH waits AS (
    SELECT global_tid AS track, start_ns, end_ns, start_ns AS since_ns, name_id FROM thread_states WHERE state = 'wait'
),

awaited AS (
    SELECT s.state_id AS id, t.global_tid AS track, s.start_ns, s.end_ns
    FROM launching_threads AS t
    INNER JOIN thread_states AS s ON s.global_tid = t.awaited_global_tid
),

followed AS (
    SELECT
        w.track AS global_tid,
        w.start_ns,
        w.end_ns,
        coalesce(s.state, 'wait') AS state,
        CASE WHEN s.state IS NULL THEN w.name_id ELSE s.name_id END AS name_id,
        CASE WHEN s.state IS NULL THEN w.since_ns ELSE w.start_ns END AS since_ns,
        coalesce(s.global_tid, w.track) AS on_global_tid
    FROM intersect_tiles('waits', 'awaited') AS w
    LEFT JOIN thread_states AS s ON s.state_id = w.tile_id AND s.state <> 'wait'
),

every_state AS (
    SELECT global_tid, start_ns, end_ns, state, name_id, start_ns AS since_ns, global_tid AS on_global_tid
    FROM thread_states
    WHERE state <> 'wait'
    UNION ALL
    SELECT global_tid, start_ns, end_ns, state, name_id, since_ns, on_global_tid
    FROM followed
)

SELECT CAST(row_number() OVER () AS INTEGER) AS state_id, *
FROM every_state;

COMMENT ON TABLE wait_chains IS 'thread_states, with waits for the awaited thread replaced by what that thread does';
COMMENT ON COLUMN wait_chains.state_id IS 'unique number';
COMMENT ON COLUMN wait_chains.global_tid IS 'the launching thread, in threads';
COMMENT ON COLUMN wait_chains.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN wait_chains.end_ns IS 'end, ns';
COMMENT ON COLUMN wait_chains.state IS 'as in thread_states; a wait here is for somebody other than the awaited thread';
COMMENT ON COLUMN wait_chains.name_id IS 'the call that makes the state, in strings';
COMMENT ON COLUMN wait_chains.since_ns IS 'when that state began, ns';
COMMENT ON COLUMN wait_chains.on_global_tid IS 'the thread whose state this is: the launching or the awaited one';
