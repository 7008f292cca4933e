-- The processes of the program. Nsight Systems lists every process that it may look at, but only those of the program have
-- events. The workers of a DataLoader are not traced, and are recognised by the names of their threads.
-- reads: calls, copies, graph_launches, kernels, loader_threads, os_calls, pid_of, export.NVTX_EVENTS
CREATE TABLE redacted.own_processes AS
SELECT pid FROM kernels
UNION
SELECT pid FROM copies
UNION
SELECT pid FROM graph_launches
UNION
SELECT pid FROM calls
UNION
SELECT pid FROM os_calls
UNION
SELECT pid_of(globalTid) FROM export.NVTX_EVENTS
UNION
SELECT pid FROM loader_threads;
