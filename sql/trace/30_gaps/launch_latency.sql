-- One row: the usual time from a launch to the start of its activity on an idle GPU. It is the median where the CPU was late,
-- since nothing else delays an activity there. A start later than 1 ms has another reason. Where the trace has no such launch,
-- 6 us: on an H200, nsys 2025.3 records 6.3 to 6.5 us.
-- reads: idle_intervals
CREATE TABLE launch_latency AS
SELECT coalesce(median(idle_until_ns - launch_start_ns), 6000) AS usual_ns
FROM idle_intervals
WHERE launch_start_ns >= idle_since_ns AND idle_until_ns - launch_start_ns < 1000000;

COMMENT ON TABLE launch_latency IS 'one row: the usual time from launch to start on an idle GPU';
COMMENT ON COLUMN launch_latency.usual_ns IS 'from the CPU start of the launch to the GPU start of the activity, ns';
