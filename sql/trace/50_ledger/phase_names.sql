-- NVTX ranges projected on the GPU: what part of a step each is, by the activities that were launched in it, and its lost time.
-- A phase is the range next to the step's, or an outermost one where no range marks the step.
-- reads: nvtx_paths, window
CREATE VIEW phase_names AS
SELECT
    n.range_id,
    coalesce(
        list_extract(parts, coalesce(list_position(parts, w.step_name), 0) + 1),
        parts[-1]
    ) AS phase
FROM nvtx_paths AS n
CROSS JOIN "window" AS w
CROSS JOIN LATERAL (SELECT string_split(n.path, ' > ') AS parts);

COMMENT ON VIEW phase_names IS 'the phase that each NVTX range belongs to';
COMMENT ON COLUMN phase_names.range_id IS 'the range, in nvtx_events';
COMMENT ON COLUMN phase_names.phase IS 'name of the range next below the step';
