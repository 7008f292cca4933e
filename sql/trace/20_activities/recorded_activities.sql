-- One row for each activity as it was recorded, of whatever kind.
-- reads: communication_names, copies, graph_launches, kernels
CREATE VIEW recorded_activities AS
WITH every_kind AS (
    SELECT
        activity_id, start_ns, end_ns, gpu, pid, stream, correlation_id, name_id,
        CASE WHEN name_id IN (SELECT string_id FROM communication_names) THEN 'communication' ELSE 'compute' END AS kind
    FROM kernels
    UNION ALL
    SELECT activity_id, start_ns, end_ns, gpu, pid, stream, correlation_id, NULL, 'copy' FROM copies
    UNION ALL
    SELECT activity_id, start_ns, end_ns, gpu, pid, stream, correlation_id, NULL, 'compute' FROM graph_launches
)

SELECT *
FROM every_kind
-- no machine has more than 256 GPUs: another number is damage
WHERE gpu BETWEEN 0 AND 255;

COMMENT ON VIEW recorded_activities IS 'kernels, memcpys, memsets and whole graphs, as they were recorded';
COMMENT ON COLUMN recorded_activities.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN recorded_activities.end_ns IS 'GPU end, ns';
COMMENT ON COLUMN recorded_activities.pid IS 'process that launched it';
COMMENT ON COLUMN recorded_activities.stream IS 'CUDA stream, unique within process and GPU';
COMMENT ON COLUMN recorded_activities.name_id IS 'name of a kernel, in strings; NULL for copies, memsets and whole graphs';
COMMENT ON COLUMN recorded_activities.kind IS 'compute, communication or copy';
