-- How many steps are warm-up: one row. These are the first steps, as long as they take more than 1.5 times the 90th percentile of
-- the later half. With context creation, autotuning and compilation a step takes 4 to 1,400 times as long as a steady one
-- (dataloader_full, compile_full). The slowest steady step is within 1.3 times that percentile; a checkpoint in every Nth step
-- raises the percentile too.
--
-- What is done for the first time later, as a first look at a result, may compile kernels, and is warm-up too: a step of the
-- first quarter that loads GPU code and takes more than four times that percentile, where no step after that quarter does. What
-- repeats would have come again.
-- reads: calls, judged_steps, step_marks, step_ranges
CREATE TABLE warm_up AS
WITH plain AS (
    SELECT step, length_ns FROM judged_steps WHERE NOT does_more
),

steady AS (
    SELECT quantile_cont(length_ns, 0.9) AS length_ns
    FROM plain
    WHERE step >= (SELECT quantile_disc(step, 0.5) FROM plain)
),

begun AS (
    SELECT min(p.step) AS steps FROM plain AS p, steady AS s WHERE p.length_ns <= 1.5 * s.length_ns
),

loading AS (
    SELECT DISTINCT j.step
    FROM (
        SELECT start_ns
        FROM calls
        WHERE family = 'module' AND (pid IN (SELECT pid FROM step_ranges) OR pid IN (SELECT pid FROM step_marks))
    ) AS c
    ASOF INNER JOIN judged_steps AS j ON c.start_ns >= j.start_ns
    WHERE c.start_ns < j.end_ns
),

-- the last step that loads and takes so long, if it is in the first quarter
first_time AS (
    SELECT max(p.step) AS step
    FROM plain AS p, steady AS s
    WHERE p.step IN (FROM loading) AND p.length_ns > 4 * s.length_ns AND NOT EXISTS (FROM step_marks WHERE source = 'requests')
    HAVING max(p.step) < (SELECT quantile_disc(step, 0.25) FROM plain)
)

SELECT greatest(b.steps, f.step + 1) AS steps
FROM begun AS b
LEFT JOIN first_time AS f ON true;

COMMENT ON TABLE warm_up IS 'how many steps are warm-up; one row';
COMMENT ON COLUMN warm_up.steps IS 'number of steps; NULL where there are none';
