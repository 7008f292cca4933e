-- One row for each message that a program with listening threads sends: an answer, or a wake of a listening thread by a worker
-- that has an answer for it (asyncio writes to a socket of its own when a worker is done). Where the listening threads use send,
-- their writes are those of a log.
-- reads: hand_over_ns, listening_threads, socket_calls
CREATE TABLE server_messages AS
WITH sent AS (
    SELECT
        s.pid,
        s.global_tid,
        l.pid IS NOT NULL AS by_listener,
        s.start_ns,
        s.end_ns,
        s.then_receives,
        starts_with(s.name, 'send') AS to_socket,
        bool_or(starts_with(s.name, 'send')) OVER (PARTITION BY s.pid, l.pid IS NOT NULL) AS any_to_socket
    FROM (
        SELECT *, coalesce(lead(receives) OVER (PARTITION BY global_tid ORDER BY start_ns, end_ns), false) AS then_receives
        FROM socket_calls
        WHERE pid IN (SELECT pid FROM listening_threads)
    ) AS s
    LEFT JOIN listening_threads AS l ON l.pid = s.pid AND l.global_tid = s.global_tid
    WHERE s.sends
),

messages AS (
    SELECT *, avg(CAST(by_listener AS INTEGER)) OVER (PARTITION BY pid) >= 0.5 AS listeners_send
    FROM sent
    WHERE to_socket OR NOT any_to_socket
),

woken_workers AS (
    SELECT pid, start_ns, end_ns FROM socket_calls WHERE waits AND global_tid NOT IN (SELECT global_tid FROM listening_threads)
)

-- what wakes another thread of the process is no answer, but hands work to it
SELECT m.pid, m.global_tid, 'answer' AS kind, m.start_ns, m.end_ns
FROM (SELECT * FROM messages WHERE by_listener OR NOT listeners_send) AS m
ASOF LEFT JOIN woken_workers AS w ON w.pid = m.pid AND m.start_ns <= w.end_ns
WHERE NOT coalesce(m.by_listener AND w.start_ns < m.start_ns AND w.end_ns - m.start_ns <= hand_over_ns(), false)
UNION ALL
-- a worker whose next call receives has sent to whom it then receives from, and woke no listening thread
SELECT pid, global_tid, 'wake', start_ns, end_ns
FROM messages
WHERE NOT by_listener AND listeners_send AND NOT then_receives;

COMMENT ON TABLE server_messages IS 'answers that a program sends, and wakes of the threads that send them';
COMMENT ON COLUMN server_messages.global_tid IS 'the thread that sends it, in threads';
COMMENT ON COLUMN server_messages.kind IS 'answer or wake';
COMMENT ON COLUMN server_messages.start_ns IS 'CPU start of the call that sends it, ns since the session began';
COMMENT ON COLUMN server_messages.end_ns IS 'CPU end of that call, ns';
