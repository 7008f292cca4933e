-- One row for each phase of the step: the activities that were launched in it, and its lost time.
-- reads: loss_totals, nvtx_events, nvtx_states, phase_names, tile_at, window_activities
CREATE VIEW phases AS
WITH launched AS (
    SELECT pid AS track, launch_start_ns AS at_ns, end_ns - start_ns AS gpu_ns FROM window_activities
),

ranges AS (
    SELECT range_id AS id, pid AS track, start_ns, end_ns FROM nvtx_states WHERE range_id IS NOT NULL
),

-- first by range, of which there are few, then by name
worked AS (
    SELECT p.phase, CAST(sum(w.activities) AS BIGINT) AS activities, CAST(sum(w.gpu_ns) AS BIGINT) AS gpu_ns
    FROM (
        SELECT tile_id AS range_id, count(*) AS activities, sum(gpu_ns) AS gpu_ns
        FROM tile_at('launched', 'ranges')
        GROUP BY tile_id
    ) AS w
    LEFT JOIN phase_names AS p ON p.range_id = w.range_id
    GROUP BY p.phase
),

lost AS (
    SELECT p.phase, CAST(sum(t.lost_ns) AS BIGINT) AS lost_ns
    FROM loss_totals AS t
    LEFT JOIN phase_names AS p ON p.range_id = t.range_id
    GROUP BY p.phase
)

SELECT
    coalesce(w.phase, l.phase, '(outside of ranges)') AS phase,
    coalesce(w.activities, 0) AS activities,
    coalesce(w.gpu_ns, 0) AS gpu_ns,
    coalesce(l.lost_ns, 0) AS lost_ns
FROM worked AS w
FULL JOIN lost AS l ON l.phase IS NOT DISTINCT FROM w.phase
WHERE EXISTS (FROM nvtx_events)
ORDER BY coalesce(w.gpu_ns, 0) + coalesce(l.lost_ns, 0) DESC, phase;

COMMENT ON VIEW phases IS 'the phases of the step: their work on the GPU, and their lost time';
COMMENT ON COLUMN phases.phase IS 'name of the range';
COMMENT ON COLUMN phases.activities IS 'number of activities launched in it';
COMMENT ON COLUMN phases.gpu_ns IS 'time of these activities, summed, ns';
COMMENT ON COLUMN phases.lost_ns IS 'lost time while the main thread was in it, ns';
