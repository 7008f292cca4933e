-- Which causes cost time only in some steps, and in every how many?
-- usual_ms is that of the median step; every is the distance of such steps where it is always the same, as for checkpoints.
WITH lost AS MATERIALIZED (
    FROM step_ledger
),

parts AS (
    SELECT t.step, d.gpu, t.end_ns - t.start_ns AS length_ns, c.cause, coalesce(l.lost_ns, 0) AS lost_ns
    FROM window_steps AS t
    CROSS JOIN devices AS d
    CROSS JOIN (SELECT DISTINCT cause FROM lost) AS c
    LEFT JOIN lost AS l ON l.step = t.step AND l.gpu = d.gpu AND l.cause = c.cause
),

compared AS (
    SELECT
        *,
        median(lost_ns) OVER (PARTITION BY gpu, cause) AS usual_ns,
        median(length_ns) OVER (PARTITION BY gpu) AS usual_step_ns
    FROM parts
),

-- a step is odd where the cause takes at least 3 % of a usual step more than it usually does
odd AS (
    SELECT *, step - lag(step) OVER (PARTITION BY gpu, cause ORDER BY step) AS distance
    FROM compared
    WHERE lost_ns - usual_ns >= 0.03 * usual_step_ns
)

SELECT
    gpu,
    cause,
    count(*) AS odd_steps,
    CASE WHEN min(distance) = max(distance) THEN min(distance) END AS every,
    round(any_value(usual_ns) / 1e6, 3) AS usual_ms,
    round(avg(lost_ns) / 1e6, 3) AS odd_ms,
    round(sum(lost_ns - usual_ns) / 1e6, 3) AS extra_ms,
    string_agg(step, ', ' ORDER BY step) AS steps
FROM odd
GROUP BY gpu, cause
ORDER BY extra_ms DESC, gpu, cause;
