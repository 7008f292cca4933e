-- Does the CPU launch as fast as the GPU runs, step by step?
-- A step is launch-bound where cpu_us_per_activity is larger than gpu_us_per_activity. ahead_us is the CPU's run-ahead: the
-- median time from launch to start.
WITH spaced AS (
    SELECT
        gpu,
        start_ns,
        length_ns,
        start_ns - launch_end_ns AS queued_ns,
        launch_start_ns - lag(launch_start_ns) OVER (PARTITION BY gpu ORDER BY launch_start_ns) AS since_last_launch_ns
    FROM window_activities
)

SELECT
    s.step,
    a.gpu,
    count(*) AS activities,
    round(count(*) / (s.end_ns - s.start_ns) * 1e6, 1) AS activities_per_ms,
    round(median(a.since_last_launch_ns) / 1e3, 2) AS cpu_us_per_activity,
    round(avg(a.length_ns) / 1e3, 2) AS gpu_us_per_activity,
    round(median(a.queued_ns) / 1e3, 1) AS ahead_us
FROM spaced AS a
ASOF INNER JOIN window_steps AS s ON a.start_ns >= s.start_ns
GROUP BY s.step, s.start_ns, s.end_ns, a.gpu
ORDER BY s.step, a.gpu;
