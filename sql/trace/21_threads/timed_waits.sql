-- One row for each wait for files or sockets of a launching thread that its own timeout ended, so that the thread slept: an event
-- loop waits so for its next timer, as a server that waits a while for its batch to fill.
--
-- Timeouts are whole milliseconds, and the thread wakes up to 0.2 ms later (0.11 ms with asyncio on an H200 host). One wait in
-- five ends so by chance, four of five do not.
-- reads: launching_threads, long_wait_ns, os_call_kinds, os_calls
CREATE TABLE timed_waits AS
WITH long_polls AS (
    SELECT global_tid, start_ns, end_ns, (end_ns - start_ns) % 1000000 < 200000 AS is_timed
    FROM os_calls
    WHERE
        end_ns - start_ns >= long_wait_ns() AND name_id IN (SELECT string_id FROM os_call_kinds WHERE role = 'poll')
        AND global_tid IN (SELECT global_tid FROM launching_threads)
)

SELECT global_tid, start_ns, end_ns
FROM long_polls
WINDOW thread AS (PARTITION BY global_tid)
QUALIFY is_timed AND count(*) OVER thread >= 5 AND count_if(is_timed) OVER thread >= 0.8 * count(*) OVER thread;

COMMENT ON TABLE timed_waits IS 'waits of launching threads for files or sockets that ended by their own timeout';
