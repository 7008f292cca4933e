-- One row for each time at which a launching thread read what another process sent it, and that one had nothing to send: its main
-- thread slept for most of the time, as a client does between two requests. Only traces that hold the sender can tell. At least
-- half of what the thread reads comes from it: else that it wrote something shortly before is chance.
-- reads: hand_over_ns, launching_threads, long_wait_ns, os_call_kinds, os_calls, tid_of
CREATE TABLE idle_senders AS
WITH received AS (
    SELECT global_tid, start_ns, end_ns
    FROM os_calls
    WHERE
        end_ns - start_ns >= long_wait_ns() AND global_tid IN (SELECT global_tid FROM launching_threads)
        AND name_id IN (SELECT string_id FROM os_call_kinds WHERE role = 'receive')
),

sent AS (
    SELECT pid AS sender, start_ns AS sent_ns
    FROM os_calls
    WHERE
        pid NOT IN (SELECT pid FROM launching_threads)
        AND name_id IN (SELECT string_id FROM os_call_kinds WHERE role = 'send')
),

handed_over AS (
    SELECT r.*, CASE WHEN r.end_ns - s.sent_ns <= hand_over_ns() THEN s.sender END AS sender
    FROM received AS r
    ASOF LEFT JOIN sent AS s ON r.end_ns >= s.sent_ns
    QUALIFY sender IS NOT NULL AND 2 * count(*) OVER (PARTITION BY global_tid, sender) >= count(*) OVER (PARTITION BY global_tid)
),

sleeps AS (
    SELECT pid, start_ns, end_ns FROM os_calls WHERE kind = 'sleep' AND tid_of(global_tid) = pid
)

SELECT h.global_tid, h.start_ns, h.end_ns
FROM handed_over AS h
INNER JOIN sleeps AS s ON s.pid = h.sender AND s.start_ns < h.end_ns AND s.end_ns > h.start_ns
GROUP BY h.global_tid, h.start_ns, h.end_ns
HAVING sum(least(s.end_ns, h.end_ns) - greatest(s.start_ns, h.start_ns)) >= 0.5 * (h.end_ns - h.start_ns);

COMMENT ON TABLE idle_senders IS 'when a launching thread waited for another process that had nothing to send';
COMMENT ON COLUMN idle_senders.global_tid IS 'the thread that waited, in threads';
COMMENT ON COLUMN idle_senders.start_ns IS 'start of the call that received, ns since the session began';
