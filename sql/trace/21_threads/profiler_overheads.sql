-- One row for each time that Nsight Systems took for itself on a thread of the program: buffer flushes and the like.
-- reads: overheads
CREATE TABLE profiler_overheads AS
SELECT start_ns, end_ns, pid, global_tid, name_id
FROM overheads
WHERE kind = 'profiler';

COMMENT ON TABLE profiler_overheads IS 'work of the profiler itself on a thread of the program';
COMMENT ON COLUMN profiler_overheads.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN profiler_overheads.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN profiler_overheads.name_id IS 'what it did, in strings';
