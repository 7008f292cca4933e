-- One row for each GPU: until when it runs an activity in the analysed time, of any stream or process.
-- reads: analysed_activities
CREATE TABLE gpu_busy AS
SELECT gpu, max(end_ns) AS busy_until_ns, max(launch_end_ns) AS launched_until_ns, arg_max(pid, end_ns) AS last_pid
FROM analysed_activities
GROUP BY gpu;

COMMENT ON TABLE gpu_busy IS 'the GPUs that work in the analysed time, and until when';
COMMENT ON COLUMN gpu_busy.busy_until_ns IS 'end of its last activity, ns since the session began';
COMMENT ON COLUMN gpu_busy.launched_until_ns IS 'CPU end of the latest launch of its activities, ns';
COMMENT ON COLUMN gpu_busy.last_pid IS 'process of its last activity';
