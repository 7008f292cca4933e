-- When threads of the program hold the GIL. A thread of Nsight Systems holds it, too, while it samples Python.
-- reads: gil_ranges, profiler_threads
CREATE VIEW gil_holds AS
SELECT pid, global_tid, start_ns, end_ns
FROM gil_ranges
WHERE NOT waiting AND global_tid NOT IN (FROM profiler_threads);

COMMENT ON VIEW gil_holds IS 'times for which threads of the program hold the GIL';
COMMENT ON COLUMN gil_holds.global_tid IS 'the thread that holds it, in threads';
