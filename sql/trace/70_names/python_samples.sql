-- Python samples with names.
-- reads: trace.python_samples, trace.thread_names
CREATE VIEW main.python_samples AS
SELECT s.*, t.thread, t.process
FROM trace.python_samples AS s
LEFT JOIN trace.thread_names AS t ON t.global_tid = s.global_tid;

COMMENT ON VIEW main.python_samples IS 'the innermost line of the user''s own code at each Python sample, with the thread''s name';
