-- In which NVTX range is the time lost, and to which cause?
-- Per step and GPU. Where nvtx is NULL the main thread was in no range, as between steps.
SELECT
    s.nvtx,
    s.cause,
    s.gpu,
    count(*) AS segments,
    round(sum(s.length_ns) / 1e6 / any_value(w.steps), 3) AS lost_ms_per_step,
    round(100 * sum(s.length_ns) / any_value(w.length_ns), 2) AS percent_of_window
FROM segments AS s
CROSS JOIN "window" AS w
GROUP BY s.nvtx, s.cause, s.gpu
ORDER BY lost_ms_per_step DESC, s.nvtx, s.cause, s.gpu
LIMIT 30;
