-- One row for each step, which says whether it does something else, too: a validation or a checkpoint.
--
-- Such a step runs more than a step does as a rule, and takes at least a tenth longer: kernels, as a validation does, which is
-- at least a forward pass, or mostly copies to the host, as a checkpoint does. Where most steps that run as much more take no
-- longer, it is only another way to do a step. Steps that are requests are never set apart: each does as much as
-- its client asks for. And a program that hardly writes files makes no checkpoint: what it moves to the host every few steps, as
-- models that take turns on the GPU, is a part of its loop. A checkpoint spends a fifth of its time on files; others write logs.
-- reads: few_activities, file_writes, os_calls, step_contents, step_marks, usual_step
CREATE TABLE judged_steps AS
WITH saving AS (
    SELECT NOT EXISTS (FROM os_calls) OR coalesce(sum(w.end_ns - w.start_ns) >= 0.01 * any_value(m.ns), false) AS saves
    FROM file_writes AS w
    CROSS JOIN (
        SELECT sum(end_ns - coalesce(saves_from_ns, own_end_ns)) AS ns
        FROM step_contents
        WHERE extra_kind = 'checkpoint' OR saves_from_ns IS NOT NULL
    ) AS m
),

compared AS (
    SELECT
        s.*,
        s.end_ns - s.start_ns >= 1.1 * u.length_ns AS is_longer,
        -- 1 % of a step, and more than steps differ by: LoRA's checkpoint is 192 activities more than 12,185, where all other
        -- steps have the same number
        s.extra_activities - u.extra_activities > greatest(few_activities(), 0.01 * u.activities, 4 * u.spread)
        AND CASE s.extra_kind WHEN 'checkpoint' THEN f.saves ELSE s.extra_kernels - u.extra_kernels >= u.forward_kernels END
            AS runs_more
    FROM step_contents AS s, usual_step AS u, saving AS f
    WHERE s.step IS NOT NULL
)

SELECT
    step, start_ns, end_ns, end_ns - start_ns AS length_ns, extra_kind,
    CASE WHEN (SELECT saves FROM saving) THEN saves_from_ns END AS saves_from_ns,
    own_end_ns, extra_end_ns,
    runs_more AND is_longer AND count_if(is_longer) OVER alike >= 0.5 * count(*) OVER alike
    AND NOT EXISTS (FROM step_marks WHERE source = 'requests') AS does_more
FROM compared
WINDOW alike AS (PARTITION BY extra_kind, runs_more);

COMMENT ON TABLE judged_steps IS 'steps, and whether they do something else, too';
COMMENT ON COLUMN judged_steps.step IS 'number, as in steps';
COMMENT ON COLUMN judged_steps.does_more IS 'true for a step with a validation or a checkpoint';
