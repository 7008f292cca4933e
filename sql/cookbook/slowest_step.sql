-- Which step is the slowest, and what takes longer in it than in the median step?
-- more_ms adds up to how much longer the step is. Where that of compute is near 0, the GPU's own work did not change.
WITH totals AS MATERIALIZED (
    FROM step_totals
),

slowest AS (
    SELECT step, gpu FROM totals ORDER BY length_ns DESC, step, gpu LIMIT 1
),

-- the step in the middle, so that its parts add up as those of the slowest do
ranked AS (
    SELECT t.step, row_number() OVER (ORDER BY t.length_ns, t.step) AS place, count(*) OVER () AS steps
    FROM totals AS t
    INNER JOIN slowest AS s ON s.gpu = t.gpu
),

compared AS (
    SELECT s.gpu, s.step AS slowest_step, r.step AS median_step
    FROM slowest AS s
    INNER JOIN ranked AS r ON r.place = (r.steps + 1) // 2
),

parts AS (
    SELECT step, gpu, 'compute' AS part, compute_ns AS ns FROM totals
    UNION ALL
    SELECT step, gpu, cause, lost_ns FROM step_ledger
),

beside AS (
    SELECT
        c.gpu, c.slowest_step, c.median_step, p.part,
        sum(CASE WHEN p.step = c.slowest_step THEN p.ns ELSE 0 END) AS slowest_ns,
        sum(CASE WHEN p.step = c.median_step THEN p.ns ELSE 0 END) AS median_ns
    FROM compared AS c
    INNER JOIN parts AS p ON p.gpu = c.gpu AND (p.step = c.slowest_step OR p.step = c.median_step)
    GROUP BY ALL
)

SELECT
    gpu,
    slowest_step,
    median_step,
    part,
    round(slowest_ns / 1e6, 3) AS slowest_ms,
    round(median_ns / 1e6, 3) AS median_ms,
    round((slowest_ns - median_ns) / 1e6, 3) AS more_ms
FROM beside
ORDER BY slowest_ns - median_ns DESC, part;
