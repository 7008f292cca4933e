-- One row for each regime: a part of the analysed time that is of one kind. Together they are all of it, without overlap.
--
-- steps: the iterations after the warm-up.
-- start-up: what comes before them. Warm-up is the first steps, as long as they take more than 1.5 times the 90th percentile of
--   the later half. With context creation, autotuning and compilation a step takes 4 to 1,400 times as long as a steady one
--   (dataloader_full, compile_full). The slowest steady step is within 1.3 times that percentile; a checkpoint in every Nth step
--   raises the percentile too. What is done for the first time later, as a first look at a result, may compile kernels, and is
--   warm-up too: a step of the first quarter that loads GPU code and takes more than four times that percentile, where no step
--   after that quarter does. What repeats would have come again.
-- validation, checkpoint: what is done between two steps. A step that runs more than a step does as a rule, and takes at least a
--   tenth longer, does something else too: kernels, as a validation does, which is at least a forward pass, or mostly copies to
--   the host, as a checkpoint does.
--   Where most steps that run as much more take no longer, it is only another way to do a step.
--   Where it takes twice as long, only the part after its own work counts as that, else all of it. Where most kernels
--   come before more than 20 copies to the host, a checkpoint follows a validation.
-- epoch start: the wait that ends one of these, where it is longer than a step: nothing runs, since the next epoch's first
--   batch is not there.
-- end: what comes after the last step, where it is no validation or checkpoint: it runs less than a twentieth of a step or at
--   most 20 activities, or no forward pass, or computes for less than two steps, as a step that was cut off before NCCL ends,
--   or copies to the host what it writes to no file.
--
-- A window that was asked for is one regime, `asked`. A trace without steps is one, `everything`, and so is what `--window all`
-- asks for.
-- reads: analysed_time, calls, few_activities, launching_threads, options, os_calls, step_contents, step_marks
CREATE TABLE regimes AS
WITH contents AS (
    SELECT
        *,
        CASE WHEN extra_copies_back > extra_kernels THEN 'checkpoint' ELSE 'validation' END AS kind,
        CASE
            WHEN copies_back_at_once > few_activities() AND kernels_before_copies > 0.5 * extra_kernels THEN copies_back_from_ns
        END AS saves_from_ns
    FROM step_contents
),

usual AS (
    SELECT
        median(activities - extra_activities) AS activities,
        quantile_cont(activities, 0.75) - quantile_cont(activities, 0.25) AS spread,
        median(end_ns - start_ns) AS length_ns,
        -- a third: the forward pass of a training step; a prompt before 16 tokens is a quarter of the step of one token
        median(activities - extra_activities) / 3 AS forward_kernels,
        -- what three quarters of the steps run is no more than a step does as a rule, as what is outside of an inner range
        quantile_disc(extra_activities, 0.25) AS extra_activities,
        quantile_disc(extra_kernels, 0.25) AS extra_kernels
    FROM step_contents
    WHERE step IS NOT NULL
),

compared AS (
    SELECT
        s.*,
        s.end_ns - s.start_ns AS length_ns,
        s.end_ns - s.start_ns >= 1.1 * u.length_ns AS is_longer,
        -- 1 % of a step, and more than steps differ by: LoRA's checkpoint is 192 activities more than 12,185, where all other
        -- steps have the same number
        s.extra_activities - u.extra_activities > greatest(few_activities(), 0.01 * u.activities, 4 * u.spread)
        AND (s.kind = 'checkpoint' OR s.extra_kernels - u.extra_kernels >= u.forward_kernels) AS runs_more
    FROM contents AS s, usual AS u
    WHERE s.step IS NOT NULL
),

judged AS (
    SELECT
        *,
        runs_more AND is_longer AND count_if(is_longer) OVER alike >= 0.5 * count(*) OVER alike
        AND NOT EXISTS (FROM step_marks WHERE source = 'requests') AS does_more -- requests may do as much as they like
    FROM compared
    WINDOW alike AS (PARTITION BY kind, runs_more)
),

plain AS (
    SELECT step, length_ns FROM judged WHERE NOT does_more
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
    FROM (SELECT start_ns FROM calls WHERE family = 'module') AS c
    ASOF INNER JOIN judged AS j ON c.start_ns >= j.start_ns
    WHERE c.start_ns < j.end_ns
),

-- the last step that loads and takes so long, if it is in the first quarter
first_time AS (
    SELECT max(p.step) AS step
    FROM plain AS p, steady AS s
    WHERE p.step IN (FROM loading) AND p.length_ns > 4 * s.length_ns AND NOT EXISTS (FROM step_marks WHERE source = 'requests')
    HAVING max(p.step) < (SELECT quantile_disc(step, 0.25) FROM plain)
),

warm_up AS (
    SELECT greatest(b.steps, f.step + 1) AS steps FROM begun AS b LEFT JOIN first_time AS f ON true
),

whole AS (
    SELECT
        a.start_ns, a.end_ns, coalesce(w.steps, 0) AS first_step,
        CASE
            WHEN o.window_from_ns IS NOT NULL OR o.window_from_step IS NOT NULL OR o.window_to_step IS NOT NULL THEN 'asked'
            WHEN o.window_all THEN 'everything'
            WHEN NOT EXISTS (FROM step_contents) THEN 'everything'
        END AS kind
    FROM analysed_time AS a, warm_up AS w, options AS o
),

file_calls AS (
    SELECT start_ns, end_ns
    FROM os_calls
    WHERE kind = 'io' AND global_tid IN (SELECT global_tid FROM launching_threads)
),

-- what a checkpoint has copied is written to a file, while the GPU waits
saved AS (
    SELECT j.step
    FROM file_calls AS o
    ASOF INNER JOIN (SELECT * FROM judged WHERE does_more AND (kind = 'checkpoint' OR saves_from_ns IS NOT NULL)) AS j
        ON o.start_ns >= j.extra_end_ns
    WHERE o.start_ns < j.end_ns
    GROUP BY j.step, j.extra_end_ns, j.end_ns
    HAVING sum(least(o.end_ns, j.end_ns) - o.start_ns) >= 0.5 * (j.end_ns - j.extra_end_ns)
),

later AS (
    SELECT
        j.*,
        CASE WHEN j.length_ns < 2 * u.length_ns THEN j.start_ns ELSE j.own_end_ns END AS more_from_ns,
        CASE
            WHEN j.end_ns - j.extra_end_ns >= u.length_ns AND j.step NOT IN (FROM saved) THEN j.extra_end_ns
            ELSE j.end_ns
        END AS more_until_ns
    FROM judged AS j, whole AS w, usual AS u
    WHERE w.kind IS NULL AND j.step >= w.first_step
),

after_last AS (
    SELECT
        l.end_ns AS start_ns,
        w.end_ns,
        CASE
            WHEN s.start_ns IS NULL OR s.extra_activities <= greatest(few_activities(), 0.05 * u.activities) THEN 'end'
            -- a checkpoint spends a fifth of its time on files; Lightning, which ends with its model on the CPU, a 30,000th
            WHEN
                s.kind = 'checkpoint' AND EXISTS (FROM os_calls)
                AND (SELECT coalesce(sum(end_ns - start_ns), 0) FROM file_calls WHERE start_ns >= l.end_ns)
                < 0.01 * (w.end_ns - l.end_ns)
                THEN 'end'
            WHEN s.kind = 'validation' AND s.extra_kernels <= greatest(few_activities(), u.forward_kernels) THEN 'end'
            WHEN
                CASE s.kind WHEN 'validation' THEN s.computes_until_ns ELSE w.end_ns END - l.end_ns < 2 * u.length_ns
                THEN 'end'
            ELSE s.kind
        END AS kind,
        s.saves_from_ns
    FROM whole AS w
    CROSS JOIN usual AS u
    CROSS JOIN (SELECT max(end_ns) AS end_ns FROM later HAVING count(*) > 0) AS l
    LEFT JOIN (SELECT * FROM contents WHERE step IS NULL) AS s ON true
),

pieces AS (
    SELECT kind, start_ns, end_ns, 0 AS steps FROM whole WHERE kind IS NOT NULL
    UNION ALL
    SELECT 'start-up', w.start_ns, l.start_ns, w.first_step FROM whole AS w INNER JOIN later AS l ON l.step = w.first_step
    UNION ALL
    SELECT 'steps', start_ns, end_ns, 1 FROM later WHERE NOT does_more
    UNION ALL
    SELECT 'steps', start_ns, more_from_ns, 1 FROM later WHERE does_more
    UNION ALL
    SELECT kind, more_from_ns, least(saves_from_ns, more_until_ns), CAST(more_from_ns = start_ns AS INTEGER)
    FROM later
    WHERE does_more
    UNION ALL
    SELECT 'checkpoint', saves_from_ns, more_until_ns, 0 FROM later WHERE does_more
    UNION ALL
    SELECT 'epoch start', more_until_ns, end_ns, 0 FROM later WHERE does_more
    UNION ALL
    SELECT kind, start_ns, CASE kind WHEN 'validation' THEN least(saves_from_ns, end_ns) ELSE end_ns END, 0 FROM after_last
    UNION ALL
    SELECT 'checkpoint', saves_from_ns, end_ns, 0 FROM after_last WHERE kind = 'validation'
),

followed AS (
    SELECT *, lag(kind) OVER (ORDER BY start_ns) AS last_kind
    FROM pieces
    WHERE end_ns > start_ns
),

numbered AS (
    SELECT *, count(CASE WHEN kind IS DISTINCT FROM last_kind THEN 1 END) OVER (ORDER BY start_ns) - 1 AS regime
    FROM followed
)

SELECT
    CAST(regime AS INTEGER) AS regime,
    any_value(kind) AS kind,
    min(start_ns) AS start_ns,
    max(end_ns) AS end_ns,
    CAST(sum(steps) AS INTEGER) AS steps
FROM numbered
GROUP BY numbered.regime
ORDER BY start_ns;

COMMENT ON TABLE regimes IS 'the analysed time in parts of one kind each; together they are all of it';
COMMENT ON COLUMN regimes.regime IS 'number in order of time, from 0';
COMMENT ON COLUMN regimes.kind IS 'start-up, steps, validation, checkpoint, epoch start or end; asked: the window that the user chose; everything: the whole trace, because the user chose it or no steps were found';
COMMENT ON COLUMN regimes.steps IS 'number of steps of the loop in it';
