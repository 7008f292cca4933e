-- One row: the part of the trace that the diagnosis speaks of. It is the steps after the warm-up, unless options asks for
-- another part.
--
-- Warm-up: the first steps, as long as they take more than 1.5 times the 90th percentile of the later half. With context
-- creation, autotuning and compilation a step takes 4 to 1,400 times as long as a steady one (dataloader_full, compile_full).
-- The slowest steady step is within 1.3 times that percentile; a checkpoint in every Nth step raises the percentile too.
-- reads: activities, options, step_marks, step_ranges, steps, strings
CREATE TABLE "window" AS
WITH durations AS (
    SELECT step, start_ns, end_ns, end_ns - start_ns AS length_ns FROM steps
),

steady AS (
    SELECT quantile_cont(length_ns, 0.9) AS length_ns FROM durations WHERE step >= (SELECT count(*) // 2 FROM durations)
),

warm_up AS (
    SELECT coalesce(min(d.step), 0) AS steps FROM durations AS d, steady AS s WHERE d.length_ns <= 1.5 * s.length_ns
),

wanted AS (
    SELECT min(d.start_ns) AS start_ns, max(d.end_ns) AS end_ns, min(d.step) AS first_step
    FROM durations AS d, warm_up AS w, options AS c
    WHERE
        c.window_all IS NULL AND c.window_from_ns IS NULL
        AND d.step >= coalesce(c.window_from_step, w.steps)
        AND d.step <= coalesce(c.window_to_step, d.step)
),

traced AS (
    SELECT min(start_ns) AS start_ns, max(end_ns) AS end_ns FROM activities
),

bounds AS (
    SELECT
        CAST(coalesce(c.window_from_ns, w.start_ns, t.start_ns) AS BIGINT) AS start_ns,
        CAST(coalesce(c.window_to_ns, w.end_ns, t.end_ns) AS BIGINT) AS end_ns,
        w.first_step,
        c.window_from_ns IS NOT NULL AS in_time
    FROM options AS c, wanted AS w, traced AS t
),

inside AS (
    SELECT count(*) AS steps, (max(s.end_ns) - min(s.start_ns)) / count(*) AS step_ns
    FROM steps AS s, bounds AS b
    WHERE s.start_ns >= b.start_ns AND s.end_ns <= b.end_ns
)

SELECT
    b.start_ns,
    b.end_ns,
    greatest(1, i.steps) AS steps,
    -- a window in times, or of everything, may hold parts of steps, and time outside of all steps
    coalesce(i.step_ns, b.end_ns - b.start_ns) AS step_ns,
    coalesce(b.first_step, 0) AS excluded_steps,
    CASE
        WHEN b.in_time THEN 'time range'
        WHEN b.first_step IS NULL THEN 'everything'
        WHEN EXISTS (FROM step_ranges) THEN 'nvtx'
        ELSE 'launch period'
    END AS source,
    coalesce(
        (SELECT any_value(name) FROM step_ranges),
        (SELECT any_value(t.text) FROM step_marks AS m INNER JOIN strings AS t ON m.name = CAST(t.string_id AS VARCHAR)),
        CASE WHEN EXISTS (FROM step_marks) THEN 'CUDA graph' END
    ) AS step_name
FROM bounds AS b, inside AS i;

COMMENT ON TABLE "window" IS 'the part of the trace that the diagnosis speaks of: one row';
COMMENT ON COLUMN "window".start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN "window".end_ns IS 'end, ns';
COMMENT ON COLUMN "window".steps IS 'number of whole steps in it; 1 where no steps were found';
COMMENT ON COLUMN "window".step_ns IS 'mean time of the whole steps in it, ns; its own length where there are none';
COMMENT ON COLUMN "window".excluded_steps IS 'number of steps before it that were left out';
COMMENT ON COLUMN "window".source IS 'how the steps were told apart: nvtx, launch period, time range or everything';
COMMENT ON COLUMN "window".step_name IS 'the NVTX range or kernel that marks a step; NULL where there is none';
