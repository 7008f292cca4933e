-- NVTX ranges projected on the GPU: what part of a step each is, by the ops that were launched in it, and its lost time.
-- A phase is the range next to the step's, or an outermost one where no range marks the step.
CREATE VIEW phase_names AS
SELECT
    n.event_id AS range_id,
    coalesce(
        list_extract(parts, coalesce(list_position(parts, w.step_name), 0) + 1),
        parts[-1]
    ) AS phase
FROM nvtx_paths AS n
CROSS JOIN "window" AS w
CROSS JOIN LATERAL (SELECT string_split(n.path, ' > ') AS parts);

CREATE VIEW phases AS
WITH launched AS (
    SELECT o.length_ns, CASE WHEN n.end_ns > o.launch_start_ns THEN n.range_id END AS range_id
    FROM (SELECT pid, launch_start_ns, end_ns - start_ns AS length_ns FROM window_ops) AS o
    ASOF LEFT JOIN nvtx_states AS n ON n.pid = o.pid AND o.launch_start_ns >= n.start_ns
),

worked AS (
    SELECT p.phase, count(*) AS ops, CAST(sum(l.length_ns) AS BIGINT) AS gpu_ns
    FROM launched AS l
    LEFT JOIN phase_names AS p ON p.range_id = l.range_id
    GROUP BY p.phase
),

lost AS (
    SELECT p.phase, CAST(sum(s.end_ns - s.start_ns) AS BIGINT) AS lost_ns
    FROM settled AS s
    LEFT JOIN phase_names AS p ON p.range_id = s.range_id
    GROUP BY p.phase
)

SELECT
    coalesce(w.phase, l.phase, '(outside of ranges)') AS phase,
    coalesce(w.ops, 0) AS ops,
    coalesce(w.gpu_ns, 0) AS gpu_ns,
    coalesce(l.lost_ns, 0) AS lost_ns
FROM worked AS w
FULL JOIN lost AS l ON l.phase IS NOT DISTINCT FROM w.phase
WHERE EXISTS (FROM nvtx_events)
ORDER BY coalesce(w.gpu_ns, 0) + coalesce(l.lost_ns, 0) DESC, phase;

COMMENT ON VIEW phase_names IS 'the phase that each NVTX range belongs to';
COMMENT ON COLUMN phase_names.range_id IS 'the range, in nvtx_events';
COMMENT ON COLUMN phase_names.phase IS 'name of the range next below the step';
COMMENT ON VIEW phases IS 'NVTX phases of the step on the GPU';
COMMENT ON COLUMN phases.phase IS 'name of the range';
COMMENT ON COLUMN phases.ops IS 'number of ops launched in it';
COMMENT ON COLUMN phases.gpu_ns IS 'time of these ops, summed, ns';
COMMENT ON COLUMN phases.lost_ns IS 'lost time while the main thread was in it, ns';
