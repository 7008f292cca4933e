-- What to call each thread, and its process.
-- reads: processes, threads
CREATE VIEW thread_names AS
SELECT
    t.global_tid,
    format('{} ({})', coalesce(t.name, 'thread'), t.tid) AS thread,
    coalesce(p.name, CAST(t.pid AS VARCHAR)) AS process
FROM threads AS t
LEFT JOIN processes AS p ON p.pid = t.pid;

COMMENT ON VIEW thread_names IS 'what to call each thread and its process';
COMMENT ON COLUMN thread_names.global_tid IS 'thread, in threads';
COMMENT ON COLUMN thread_names.thread IS 'its name, and its thread id in brackets';
COMMENT ON COLUMN thread_names.process IS 'name of its process, or its process id where it has none';
