-- What to call each thread, and its process. A thread that ended before the capture did has no name.
-- reads: launching_threads, processes, threads, tid_of
CREATE TABLE thread_names AS
SELECT
    t.global_tid,
    format('{} ({})', coalesce(t.name, 'thread'), t.tid) AS thread,
    coalesce(p.name, CAST(t.pid AS VARCHAR)) AS process
FROM (
    SELECT global_tid, pid, tid, name FROM threads
    UNION ALL
    SELECT l.global_tid, l.pid, tid_of(l.global_tid), NULL
    FROM launching_threads AS l
    ANTI JOIN threads AS t ON t.global_tid = l.global_tid
) AS t
LEFT JOIN processes AS p ON p.pid = t.pid;

COMMENT ON TABLE thread_names IS 'what to call each thread and its process';
COMMENT ON COLUMN thread_names.thread IS 'its name, and its thread id in brackets';
COMMENT ON COLUMN thread_names.process IS 'name of its process, or its process id where it has none';
