-- How many activities does each kind of launch submit, and what does it cost the CPU?
-- A graph launch of hundreds of activities is cheap, hundreds of launches of one are not. A graph that was traced as a whole is one activity.
WITH submitted AS (
    SELECT o.pid, o.global_tid, o.launch_start_ns, count(*) AS activities, sum(o.length_ns) AS gpu_ns
    FROM activities AS o
    INNER JOIN "window" AS w ON o.start_ns >= w.start_ns AND o.start_ns < w.end_ns
    GROUP BY o.pid, o.global_tid, o.launch_start_ns
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
