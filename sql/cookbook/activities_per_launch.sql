-- How many activities does each kind of launch submit, and what does it cost the CPU?
-- One launch of a graph with hundreds of activities is cheap, hundreds of launches with one activity each are not. A graph that
-- was traced as a whole is one activity.
WITH submitted AS (
    SELECT a.pid, a.global_tid, a.launch_start_ns, count(*) AS activities, sum(a.length_ns) AS gpu_ns
    FROM activities AS a
    SEMI JOIN window_regimes AS w ON a.start_ns >= w.start_ns AND a.start_ns < w.end_ns
    GROUP BY a.pid, a.global_tid, a.launch_start_ns
)

SELECT
    c.name AS "call",
    c.thread,
    count(*) AS calls,
    CAST(sum(s.activities) AS BIGINT) AS activities,
    round(sum(s.activities) / count(*), 1) AS activities_per_call,
    round(median(c.length_ns) / 1e3, 2) AS median_cpu_us,
    round(sum(c.length_ns) / 1e6, 3) AS cpu_ms,
    round(sum(s.gpu_ns) / 1e6, 3) AS gpu_ms
FROM submitted AS s
INNER JOIN calls AS c ON c.global_tid = s.global_tid AND c.start_ns = s.launch_start_ns
GROUP BY c.name, c.thread
ORDER BY activities DESC, "call", c.thread;
