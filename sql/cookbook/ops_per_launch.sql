-- How many ops does each kind of launch submit, and what does it cost the CPU?
-- A graph launch of hundreds of ops is cheap, hundreds of launches of one are not. A graph that was traced as a whole is one op.
WITH submitted AS (
    SELECT o.pid, o.global_tid, o.launch_start_ns, count(*) AS ops, sum(o.length_ns) AS gpu_ns
    FROM ops AS o
    INNER JOIN "window" AS w ON o.start_ns >= w.start_ns AND o.start_ns < w.end_ns
    GROUP BY o.pid, o.global_tid, o.launch_start_ns
)

SELECT
    c.name AS "call",
    c.thread,
    count(*) AS calls,
    CAST(sum(s.ops) AS BIGINT) AS ops,
    round(sum(s.ops) / count(*), 1) AS ops_per_call,
    round(median(c.length_ns) / 1e3, 2) AS median_cpu_us,
    round(sum(c.length_ns) / 1e6, 3) AS cpu_ms,
    round(sum(s.gpu_ns) / 1e6, 3) AS gpu_ms
FROM submitted AS s
INNER JOIN calls AS c ON c.global_tid = s.global_tid AND c.start_ns = s.launch_start_ns
GROUP BY c.name, c.thread
ORDER BY ops DESC, "call", c.thread;
