-- One row for each host function that a stream waited for: CPU code that the program put between two activities of a stream. On
-- the stream it is recorded by CUPTI, on its thread by Nsight Systems; which of the two a trace has depends on its version.
-- reads: is_interval, pid_of, export.CUDA_HOST_CALLBACK, export.CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH
CREATE VIEW host_functions AS
SELECT "start" AS start_ns, "end" AS end_ns, pid_of(globalPid) AS pid, streamId AS stream
FROM export.CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH
WHERE is_interval("start", "end")
UNION ALL
SELECT "start", "end", pid_of(globalTid), NULL
FROM export.CUDA_HOST_CALLBACK
WHERE is_interval("start", "end");

COMMENT ON VIEW host_functions IS 'host functions that streams waited for; only traces of newer versions have them';
COMMENT ON COLUMN host_functions.stream IS 'the stream that waited; NULL where the trace does not say';
