-- One row for each GPU activity: the kernels, memcpys, memsets and whole graphs of all GPUs on one timeline, each with the call
-- that launched it.
-- reads: impossible_activities, launches, recorded_activities
CREATE TABLE activities AS
SELECT
    a.activity_id,
    a.kind,
    a.gpu,
    a.pid,
    a.stream,
    a.start_ns,
    a.end_ns,
    a.name_id,
    l.global_tid,
    l.start_ns AS launch_start_ns,
    l.end_ns AS launch_end_ns
FROM recorded_activities AS a
LEFT JOIN launches AS l ON l.pid = a.pid AND l.correlation_id = a.correlation_id
ANTI JOIN impossible_activities AS i ON i.activity_id = a.activity_id;

COMMENT ON TABLE activities IS 'everything that the GPUs ran: kernels, memcpys, memsets and whole graphs';
COMMENT ON COLUMN activities.activity_id IS 'unique number; the same at every run';
COMMENT ON COLUMN activities.kind IS 'compute (kernels and graphs), communication (kernels of NCCL and of other libraries that send data) or copy (memcpys and memsets)';
COMMENT ON COLUMN activities.pid IS 'process that launched it';
COMMENT ON COLUMN activities.stream IS 'CUDA stream, unique within process and GPU';
COMMENT ON COLUMN activities.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN activities.end_ns IS 'GPU end, ns';
COMMENT ON COLUMN activities.name_id IS 'name of a kernel, in strings; NULL for memcpys, memsets and whole graphs';
COMMENT ON COLUMN activities.global_tid IS 'launching thread; NULL where the trace has no call for the activity';
