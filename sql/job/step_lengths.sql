-- The length of each step of the job, which is the same on all ranks. Steps without a collective, as those that only add to the
-- gradients, have no end that the ranks share: they and the next one with a collective count as equally long.
-- reads: job_steps, ranks.steps
CREATE VIEW step_lengths AS
WITH stretches AS (
    SELECT DISTINCT step, after_step, ref_end_ns - ref_start_ns AS ns FROM job_steps
),

numbered AS (
    SELECT
        coalesce(s.step, b.step) AS step,
        s.step IS NOT NULL AS is_step,
        b.ns,
        row_number() OVER (PARTITION BY b.step ORDER BY s.step) AS nth,
        count(*) OVER (PARTITION BY b.step) AS steps
    FROM stretches AS b
    LEFT JOIN ranks.steps AS s ON s.step > b.after_step AND s.step <= b.step AND b.after_step >= 0
)

-- by differences, so that the lengths add up to the window
SELECT step, is_step, ns * nth // steps - ns * (nth - 1) // steps AS ns FROM numbered ORDER BY step;

COMMENT ON VIEW step_lengths IS 'how long each step of the job took';
COMMENT ON COLUMN step_lengths.is_step IS 'false where fewer than two steps have a collective: then the job is one piece';
COMMENT ON COLUMN step_lengths.ns IS 'from the last collective of the step before to its own last one, ns';
