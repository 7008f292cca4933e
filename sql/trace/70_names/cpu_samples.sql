-- CPU samples with names.
-- reads: trace.cpu_samples, trace.thread_names
CREATE VIEW main.cpu_samples AS
SELECT s.*, t.thread, t.process
FROM trace.cpu_samples AS s
LEFT JOIN trace.thread_names AS t ON t.global_tid = s.global_tid;

COMMENT ON VIEW main.cpu_samples IS 'the library and function of each CPU sample, with the thread''s name';
