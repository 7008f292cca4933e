-- One row for each thread of Nsight Systems in the captured processes.
-- reads: threads
CREATE VIEW profiler_threads AS
SELECT global_tid FROM threads WHERE regexp_matches(name, '^\[?(NSys|CUPTI)\b');

COMMENT ON VIEW profiler_threads IS 'threads of Nsight Systems';
