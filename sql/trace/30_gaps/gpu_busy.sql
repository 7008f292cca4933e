-- One row for each GPU: how long it ran at least one activity in the analysed time, of any stream or process.
-- reads: analysed_activities, analysed_time, idle_intervals
CREATE TABLE gpu_busy AS
WITH last_activities AS (
    SELECT
        gpu, max(end_ns) AS busy_until_ns, max(launch_end_ns) AS launched_until_ns, arg_max(pid, end_ns) AS last_pid
    FROM analysed_activities
    GROUP BY gpu
),

idle AS (
    SELECT gpu, sum(idle_until_ns - idle_since_ns) AS idle_ns FROM idle_intervals GROUP BY gpu
)

SELECT
    l.gpu,
    l.busy_until_ns,
    CAST(l.busy_until_ns - w.start_ns - coalesce(i.idle_ns, 0) AS BIGINT) AS busy_ns,
    l.launched_until_ns,
    l.last_pid
FROM last_activities AS l
CROSS JOIN analysed_time AS w
LEFT JOIN idle AS i ON i.gpu = l.gpu;

COMMENT ON TABLE gpu_busy IS 'the GPUs that work in the analysed time, and for how long';
COMMENT ON COLUMN gpu_busy.gpu IS 'physical GPU';
COMMENT ON COLUMN gpu_busy.busy_until_ns IS 'end of its last activity, ns since the session began';
COMMENT ON COLUMN gpu_busy.busy_ns IS 'time in which it ran at least one activity, ns';
COMMENT ON COLUMN gpu_busy.launched_until_ns IS 'CPU end of the latest launch of its activities, ns';
COMMENT ON COLUMN gpu_busy.last_pid IS 'process of its last activity';
