-- Launching threads with names.
-- reads: trace.launching_threads, trace.thread_names
CREATE VIEW main.launching_threads AS
SELECT s.*, t.thread, t.process, p.thread AS awaited_thread
FROM trace.launching_threads AS s
LEFT JOIN trace.thread_names AS t ON t.global_tid = s.global_tid
LEFT JOIN trace.thread_names AS p ON p.global_tid = s.awaited_global_tid;

COMMENT ON VIEW main.launching_threads IS 'threads that launch activities, or open NVTX ranges in a process that does, with names';
COMMENT ON COLUMN main.launching_threads.awaited_thread IS 'name of the thread that it is taken to wait for when it waits for its own process';
