-- One row for each thread of Nsight Systems in the captured processes.
-- reads: threads
CREATE TABLE profiler_threads AS
SELECT global_tid FROM threads WHERE regexp_matches(name, '^\[?(NSys|CUPTI)\b');

COMMENT ON TABLE profiler_threads IS 'threads of Nsight Systems';
