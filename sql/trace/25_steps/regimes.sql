-- One row for each regime: a part of the analysed time that is of one kind. Together they are all of it, without overlap.
--
-- steps: the iterations after the warm-up.
-- start-up: what comes before them, with the steps of the warm-up.
-- validation, checkpoint: what is done between two steps (judged_steps). Where a step takes twice as long as a step does as a
--   rule, only the part after its own work counts as that, else all of it. Where most kernels come before more than 20 copies to
--   the host, a checkpoint follows a validation.
-- epoch start: the wait that ends one of these, where it is longer than a step: nothing runs, since the next epoch's first
--   batch is not there.
-- end: what comes after the last step, where it is no validation or checkpoint: it runs less than a twentieth of a step or at
--   most 20 activities, or no forward pass, or computes for less than two steps, as a step that was cut off before NCCL ends,
--   or copies to the host what it writes to no file.
--
-- A window that was asked for is one regime, `asked`. A trace without steps is one, `everything`, and so is what `--window all`
-- asks for.
-- reads: analysed_time, exceeds_a_step, few_activities, judged_steps, launching_threads, options, os_calls, python_stacks
-- reads: sampled_stacks, step_contents, step_ranges, usual_step, warm_up
CREATE TABLE regimes AS
WITH whole AS (
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

saving AS (
    SELECT * FROM judged_steps WHERE does_more AND (extra_kind = 'checkpoint' OR saves_from_ns IS NOT NULL)
),

-- what a checkpoint has copied is written to a file, while the GPU waits
saved AS (
    SELECT j.step
    FROM file_calls AS o
    ASOF INNER JOIN saving AS j ON o.start_ns >= j.extra_end_ns
    WHERE o.start_ns < j.end_ns
    GROUP BY j.step, j.extra_end_ns, j.end_ns
    HAVING sum(least(o.end_ns, j.end_ns) - o.start_ns) >= 0.5 * (j.end_ns - j.extra_end_ns)
    UNION
    -- Lightning deletes the file before: a call that is not recorded
    SELECT j.step
    FROM (SELECT * FROM sampled_stacks WHERE global_tid IN (SELECT global_tid FROM launching_threads)) AS p
    ASOF INNER JOIN saving AS j ON p.at_ns >= j.extra_end_ns
    INNER JOIN python_stacks AS s ON s.stack_id = p.stack_id
    WHERE p.at_ns < j.end_ns
    GROUP BY j.step
    HAVING 2 * count_if(regexp_matches(s.frames, ':[A-Za-z_]*checkpoint')) >= count(*)
),

later AS (
    SELECT
        j.*,
        CASE WHEN j.length_ns < 2 * u.length_ns THEN j.start_ns ELSE j.own_end_ns END AS more_from_ns,
        CASE
            WHEN j.end_ns - j.extra_end_ns >= u.length_ns AND j.step NOT IN (FROM saved) THEN j.extra_end_ns
            ELSE j.end_ns
        END AS more_until_ns
    FROM judged_steps AS j, whole AS w, usual_step AS u
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
                s.extra_kind = 'checkpoint' AND EXISTS (FROM os_calls)
                AND (SELECT coalesce(sum(end_ns - start_ns), 0) FROM file_calls WHERE start_ns >= l.end_ns)
                < 0.01 * (w.end_ns - l.end_ns)
                THEN 'end'
            WHEN s.extra_kind = 'validation' AND s.extra_kernels <= greatest(few_activities(), u.forward_kernels) THEN 'end'
            -- the last step, of which no marker tells the end
            WHEN
                s.extra_kind = 'validation' AND NOT EXISTS (FROM step_ranges)
                AND NOT exceeds_a_step(s.extra_activities, u.activities)
                THEN 'end'
            WHEN
                CASE s.extra_kind WHEN 'validation' THEN s.computes_until_ns ELSE w.end_ns END - l.end_ns < 2 * u.length_ns
                THEN 'end'
            ELSE s.extra_kind
        END AS kind,
        s.saves_from_ns
    FROM whole AS w
    CROSS JOIN usual_step AS u
    CROSS JOIN (SELECT max(end_ns) AS end_ns FROM later HAVING count(*) > 0) AS l
    LEFT JOIN (SELECT * FROM step_contents WHERE step IS NULL) AS s ON true
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
    SELECT extra_kind, more_from_ns, least(saves_from_ns, more_until_ns), CAST(more_from_ns = start_ns AS INTEGER)
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
