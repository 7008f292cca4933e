-- One row for each launch of a CUDA graph that was traced as a whole. The kernels of such a graph are not in the trace.
-- reads: activity_id_of, gpu_of, is_interval, pid_of, export.CUPTI_ACTIVITY_KIND_GRAPH_TRACE
CREATE VIEW graph_launches AS
SELECT
    activity_id_of('graph', g.rowid) AS activity_id,
    g."start" AS start_ns,
    g."end" AS end_ns,
    gpu_of(g.globalPid, g.deviceId) AS gpu,
    pid_of(g.globalPid) AS pid,
    g.streamId AS stream,
    g.correlationId AS correlation_id,
    g.graphId AS graph_id
FROM export.CUPTI_ACTIVITY_KIND_GRAPH_TRACE AS g
WHERE is_interval(g."start", g."end");

COMMENT ON VIEW graph_launches IS 'launches of CUDA graphs that were traced as a whole';
COMMENT ON COLUMN graph_launches.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN graph_launches.end_ns IS 'GPU end, ns';
COMMENT ON COLUMN graph_launches.pid IS 'process that launched it';
COMMENT ON COLUMN graph_launches.stream IS 'CUDA stream, unique within process and GPU';
COMMENT ON COLUMN graph_launches.graph_id IS 'which graph';
