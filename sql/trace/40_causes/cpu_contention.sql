/* cause
meaning = "the launching thread could run, and had no CPU core"
usual_fix = "Fewer threads and processes for the cores that there are; give the launching process cores of its own."
needs = ["core_switches"]
color = "#a0522d"
color_dark = "#d98a5f"

[[states]]
state = "off_cpu"
priority = 21

[remove]
states = ["off_cpu"]
wholly = true
*/

-- Of a thread that shares its core with other programs, also waits that nothing else explains: whoever it waits for waits too, so
-- that one of the two was woken and has no core yet. Without context switches, that is seen where one of them woke the other, and
-- where a synchronize call returns long after the GPU has ended, and where launches are slow that load nothing, and the code
-- between them.
-- reads: core_switches, delayed_code, late_returns, preemptions, segments, slow_launch_segments, slow_wakes
CREATE VIEW rules_cpu_contention AS
SELECT segment_id, 85 AS priority, 'inferred' AS basis
FROM segments
WHERE state = 'wait' AND on_global_tid IN (SELECT global_tid FROM preemptions WHERE to_global_tid IS NULL)
UNION ALL
SELECT s.segment_id, 85, 'inferred'
FROM (SELECT * FROM segments WHERE state = 'wait') AS s
ASOF INNER JOIN slow_wakes AS w ON w.global_tid = s.on_global_tid AND s.end_ns > w.start_ns
WHERE least(s.end_ns, w.end_ns) - greatest(s.start_ns, w.start_ns) >= 0.5 * (s.end_ns - s.start_ns)
UNION ALL
SELECT segment_id, 39, 'inferred' FROM late_returns
UNION ALL
SELECT segment_id, 36, 'inferred' FROM slow_launch_segments WHERE NOT loads_code AND NOT EXISTS (FROM core_switches)
UNION ALL
SELECT segment_id, 37, 'inferred' FROM delayed_code;

-- Who ran instead: of the traced threads the one that had the core for longest, or programs that are not traced.
-- reads: count_of, framework, late_returns, preemptions, slow_launches, slow_wakes, threads, tid_of, window_activities
-- reads: window_segments
CREATE VIEW fix_cpu_contention AS
WITH lost AS (
    SELECT DISTINCT p.*
    FROM (SELECT * FROM window_segments WHERE cause = 'cpu_contention' AND state = 'off_cpu') AS s
    ASOF INNER JOIN preemptions AS p ON p.global_tid = s.on_global_tid AND s.start_ns >= p.start_ns
),

instead AS (
    SELECT to_global_tid AS global_tid, sum(end_ns - start_ns) AS ran_ns
    FROM lost
    GROUP BY to_global_tid
    ORDER BY ran_ns DESC, global_tid
    LIMIT 1
),

slow AS (
    SELECT launch_ns FROM slow_launches WHERE NOT loads_code AND gap_id IN (SELECT activity_id FROM window_activities)
),

-- NULL for programs that are not traced
named AS (
    SELECT format('the traced thread {} ({}) ran most on that core', coalesce(t.name, '?'), tid_of(i.global_tid)) AS ran_most
    FROM instead AS i
    LEFT JOIN threads AS t ON t.global_tid = i.global_tid
)

SELECT
    CASE
        WHEN count(*) = 0 AND EXISTS (FROM late_returns)
            THEN
                format(
                    'Calls that wait for the GPU return {:.1f} ms (median) after it has ended, because their thread has no core '
                    || 'to see it.',
                    (SELECT median(end_ns - start_ns) / 1e6 FROM late_returns)
                )
        WHEN count(*) = 0 AND EXISTS (FROM slow)
            THEN
                (
                    SELECT
                        format(
                            'Of {:,} kernel launches, {:,} of kernels that ran before took 1 ms or more ({:.1f} ms, median): '
                            || 'their thread had no core.',
                            (SELECT count(launch_start_ns) FROM window_activities WHERE kind = 'compute'),
                            count(*),
                            median(launch_ns) / 1e6
                        )
                    FROM slow
                )
        WHEN count(*) = 0
            THEN
                'Threads that are woken wait for a core'
                || coalesce((SELECT format(', for {:.1f} ms (median)', median(end_ns - start_ns) / 1e6) FROM slow_wakes), '')
                || '.'
        ELSE
            format(
                'The launching thread lost its core {}, for {:.1f} ms (median); {}.',
                count_of(count(*), 'time'),
                median(l.end_ns - l.start_ns) / 1e6,
                coalesce(
                    (SELECT ran_most FROM named), 'no traced thread had that core for half of that time, so other programs did'
                )
            )
    END
    || format(
        ' Run fewer threads and processes than there are cores ({}), raise the CPU limit of the container, or pin the launching '
        || 'process to cores of its own (taskset, numactl).',
        (
            SELECT CASE framework WHEN 'pytorch' THEN 'torch.set_num_threads, num_workers, ' ELSE '' END || 'OMP_NUM_THREADS'
            FROM framework
        )
    ) AS fix
FROM lost AS l;

-- reads: cause_totals, requirements
CREATE VIEW notes_cpu_contention AS
SELECT
    'Without context switches, a lack of cores is seen only in waits, slow launches, and code that usually takes a tenth: other '
    || 'code may lack a core, too, which counts as host_compute. `gapfinder capture` records them.' AS note
FROM cause_totals AS f
INNER JOIN requirements AS r ON r.need = 'core_switches'
WHERE f.cause = 'cpu_contention' AND f.share >= 0.01 AND NOT r.is_met;
