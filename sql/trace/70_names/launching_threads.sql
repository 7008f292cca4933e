-- reads: trace.launching_threads, trace.thread_names
CREATE VIEW main.launching_threads AS
SELECT s.*, t.thread, t.process, p.thread AS awaited_thread
FROM trace.launching_threads AS s
LEFT JOIN trace.thread_names AS t ON t.global_tid = s.global_tid
LEFT JOIN trace.thread_names AS p ON p.global_tid = s.awaited_global_tid;
