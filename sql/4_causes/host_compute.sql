CREATE VIEW states_host_compute AS
FROM (VALUES ('run', 60, 'seen'), ('sleep', 60, 'seen')) AS claimed (state, precedence, basis);

CREATE VIEW fix_host_compute AS
WITH named AS (
    SELECT p.path, sum(s.end_ns - s.start_ns) AS lost_ns
    FROM slices AS s
    LEFT JOIN nvtx_paths AS p ON p.event_id = s.range_id
    WHERE s.state IN ('run', 'sleep')
    GROUP BY p.path
    ORDER BY lost_ns DESC
    LIMIT 1
)

SELECT format(
    'Move the CPU work{} off the thread that launches: to a worker thread or process that prepares it a step ahead, after the '
    || 'launches of the step instead of before them, or onto the GPU.',
    CASE WHEN path IS NOT NULL THEN ' in "' || path || '"' ELSE '' END
) AS fix
FROM named;

COMMENT ON VIEW states_host_compute IS 'the launching thread ran other CPU code';
COMMENT ON COLUMN states_host_compute.state IS 'as in slices';
COMMENT ON COLUMN states_host_compute.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN states_host_compute.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW fix_host_compute IS 'Prepare it a step ahead on another thread, move it behind the launches, or onto the GPU.';
COMMENT ON COLUMN fix_host_compute.fix IS 'what to change, for what was seen';
