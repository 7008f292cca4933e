-- Threads as a person tells them apart.
CREATE VIEW thread_names AS
SELECT t.global_tid, format('{} ({})', coalesce(t.name, 'thread'), t.tid) AS thread, coalesce(p.name, CAST(t.pid AS VARCHAR)) AS process
FROM threads AS t
LEFT JOIN processes AS p ON p.pid = t.pid;

CREATE VIEW main.submitters AS
SELECT s.*, t.thread, t.process, p.thread AS peer_thread
FROM layers.submitters AS s
LEFT JOIN layers.thread_names AS t ON t.global_tid = s.global_tid
LEFT JOIN layers.thread_names AS p ON p.global_tid = s.peer_global_tid;

COMMENT ON VIEW thread_names IS 'what to call each thread';
COMMENT ON COLUMN thread_names.global_tid IS 'thread, in threads';
COMMENT ON COLUMN thread_names.thread IS 'its name, and in brackets its thread id';
COMMENT ON COLUMN thread_names.process IS 'name of its process; its number where it has none';
COMMENT ON VIEW main.submitters IS 'threads that launch GPU work or hold the NVTX ranges of a process that does, with names';
COMMENT ON COLUMN main.submitters.thread IS 'name of the thread';
COMMENT ON COLUMN main.submitters.process IS 'name of the process';
COMMENT ON COLUMN main.submitters.peer_thread IS 'name of the thread that it waits for when it waits for its own process';
