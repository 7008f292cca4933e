-- What the thread that gives work to the launching threads of a process does while it does not wait, as tiles of the
-- process. That is a dispatcher, or the first thread where it launches too: JAX on several GPUs has a thread that launches
-- for each of them.
-- reads: dispatchers, launching_threads, thread_states, tid_of
CREATE VIEW dispatcher_tiles AS
SELECT s.state_id AS id, d.pid AS track, s.start_ns, s.end_ns
FROM (
    SELECT pid, global_tid FROM launching_threads WHERE tid_of(global_tid) = pid
    UNION ALL
    SELECT pid, global_tid FROM dispatchers
) AS d
INNER JOIN thread_states AS s ON s.global_tid = d.global_tid
WHERE s.state NOT IN ('wait', 'not_begun');

COMMENT ON VIEW dispatcher_tiles IS 'thread_states of the thread that gives work to the launching threads of a process, as tiles of the process';
COMMENT ON COLUMN dispatcher_tiles.id IS 'state_id of thread_states';
COMMENT ON COLUMN dispatcher_tiles.track IS 'process';
