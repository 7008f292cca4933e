-- The phase of each path of NVTX ranges: the range directly below that of the step, or the outermost one where no range marks
-- the step.
-- reads: paths, window
CREATE TABLE phase_names AS
SELECT
    n.path_id,
    coalesce(
        list_extract(n.called, coalesce(list_position(n.called, w.step_name), 0) + 1),
        n.called[-1]
    ) AS phase
FROM paths AS n
CROSS JOIN "window" AS w;

COMMENT ON TABLE phase_names IS 'the phase that each path of NVTX ranges is part of';
COMMENT ON COLUMN phase_names.phase IS 'name of the range directly below the step''s';
