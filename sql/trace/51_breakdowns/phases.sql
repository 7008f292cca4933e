-- One row for each phase of the step: the activities that were launched in it, and its lost time.
-- reads: launch_times, loss_totals, main_ranges, phase_names, range_paths, range_tiles, tile_at, window_activities
CREATE TABLE phases AS
WITH worked AS (
    SELECT p.phase, count(*) AS activities, CAST(sum(a.end_ns - a.start_ns) AS BIGINT) AS gpu_ns
    FROM window_activities AS a
    INNER JOIN tile_at('launch_times', 'range_tiles') AS r ON r.id = a.activity_id
    LEFT JOIN range_paths AS n ON n.range_id = r.tile_id
    LEFT JOIN phase_names AS p ON p.path_id = n.path_id
    GROUP BY p.phase
),

lost AS (
    SELECT p.phase, CAST(sum(t.lost_ns) AS BIGINT) AS lost_ns
    FROM loss_totals AS t
    LEFT JOIN phase_names AS p ON p.path_id = t.path_id
    GROUP BY p.phase
)

SELECT
    coalesce(w.phase, l.phase, '(outside of ranges)') AS phase,
    coalesce(w.activities, 0) AS activities,
    coalesce(w.gpu_ns, 0) AS gpu_ns,
    coalesce(l.lost_ns, 0) AS lost_ns
FROM worked AS w
FULL JOIN lost AS l ON l.phase IS NOT DISTINCT FROM w.phase
WHERE EXISTS (FROM main_ranges)
ORDER BY coalesce(w.gpu_ns, 0) + coalesce(l.lost_ns, 0) DESC, phase;

COMMENT ON TABLE phases IS 'the phases of the step: their work on the GPU, and their lost time';
COMMENT ON COLUMN phases.phase IS 'name of the range';
COMMENT ON COLUMN phases.activities IS 'number of activities launched in it';
COMMENT ON COLUMN phases.gpu_ns IS 'time of these activities, summed, ns';
COMMENT ON COLUMN phases.lost_ns IS 'lost time in it, by the ranges of segments, ns';
