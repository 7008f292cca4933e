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
WITH wanted AS (
    SELECT r.*, r.first_ns >= w.start_ns AND r.last_ns <= w.end_ns AS whole
    FROM range_work AS r, "window" AS w, choices AS c
    WHERE r.last_ns > w.start_ns AND r.first_ns < w.end_ns AND (c.device IS NULL OR r.gpu = c.device)
),

-- of what the window cuts, each op is asked
launched AS (
    SELECT pid, at_ns, ops, gpu_ns FROM wanted WHERE whole
    UNION ALL
    SELECT r.pid, r.at_ns, count(*), sum(o.end_ns - o.start_ns)
    FROM (SELECT * FROM wanted WHERE NOT whole) AS r
    INNER JOIN window_ops AS o ON o.pid = r.pid AND o.gpu = r.gpu AND o.launch_start_ns >= r.at_ns
    WHERE o.launch_start_ns < r.until_ns OR r.until_ns IS NULL
    GROUP BY r.pid, r.gpu, r.at_ns
),

in_ranges AS (
    SELECT p.phase, l.ops, l.gpu_ns
    FROM launched AS l
    ASOF INNER JOIN nvtx_states AS n ON n.pid = l.pid AND l.at_ns >= n.start_ns
    INNER JOIN phase_names AS p ON p.range_id = n.range_id
    WHERE n.end_ns > l.at_ns
),

everything AS (
    SELECT sum(ops) AS ops, sum(gpu_ns) AS gpu_ns FROM op_totals
),

worked AS (
    SELECT phase, CAST(sum(ops) AS BIGINT) AS ops, CAST(sum(gpu_ns) AS BIGINT) AS gpu_ns
    FROM (
        FROM in_ranges
        UNION ALL
        SELECT NULL, a.ops - i.ops, a.gpu_ns - i.gpu_ns
        FROM everything AS a, (SELECT coalesce(sum(ops), 0) AS ops, coalesce(sum(gpu_ns), 0) AS gpu_ns FROM in_ranges) AS i
        WHERE a.ops > i.ops
    )
    GROUP BY phase
),

lost AS (
    SELECT p.phase, CAST(sum(s.lost_ns) AS BIGINT) AS lost_ns
    FROM (SELECT range_id, sum(lost_ns) AS lost_ns FROM loss_totals GROUP BY range_id) AS s
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
