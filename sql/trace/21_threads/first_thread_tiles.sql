-- What the first thread of each process does while it does not wait, as tiles of its process, if it launches activities too. It
-- gives work to the others where these only run it: JAX on several GPUs has a thread that launches for each of them.
-- reads: launching_threads, thread_states, tid_of
CREATE VIEW first_thread_tiles AS
SELECT s.state_id AS id, l.pid AS track, s.start_ns, s.end_ns
FROM launching_threads AS l
INNER JOIN thread_states AS s ON s.global_tid = l.global_tid
WHERE tid_of(l.global_tid) = l.pid AND s.state NOT IN ('wait', 'not_begun');

COMMENT ON VIEW first_thread_tiles IS 'thread_states of the first thread of each process, as tiles of the process';
COMMENT ON COLUMN first_thread_tiles.id IS 'state_id of thread_states';
COMMENT ON COLUMN first_thread_tiles.track IS 'process';
