-- One row for each NVTX range and each name on its path that speaks for a cause. The name of the step itself does not count: a
-- range "batch 17" is the whole iteration. What is done under a name may refute it, where names that are called the same are one:
--
-- Half of the compute is launched under it, of all steps, or of as many as there are ranges of the name. Then it is the name of
-- the work itself, and not of what goes on beside it. Few ranges, and those of libraries, must also compute for a tenth of the
-- time that is lost under them: a compiler runs what it compiled, and computes for a 50th of that time at most (XLA that
-- autotunes in the loop). A range of a library in which whole steps lie is none of what the library does in a step, either.
--
-- Nothing of the kind is done there, as where a forward pass is called checkpoint. Some causes name states that prove the name:
-- a hundredth of the lost time under it must be in one of them, or belong to copies of results to the host where these prove it.
-- Without OS calls such states may be missing, and the name counts. GPU code is compiled first and loaded later, so that the name
-- is proven where code is loaded in the same gap. A library's names need no proof.
-- reads: called_names, copies, gap_facts, main_ranges, matched_segments, name_patterns, paths, patterns_of_name, proving_states
-- reads: range_paths, range_tiles, read_back_bytes, recorded_tables, segments, steps, window, window_activities
CREATE TABLE called_ranges AS
WITH every_name AS (
    SELECT DISTINCT unnest(names) AS name, unnest(called) AS called FROM paths
),

spoken AS (
    SELECT e.name, e.called, p.cause, bool_and(p.refutable) AS refutable, bool_or(p.of_library) AS of_library
    FROM (SELECT *, unnest(patterns_of_name(name)) AS pattern FROM every_name) AS e
    INNER JOIN name_patterns AS p ON p.pattern = e.pattern
    WHERE e.called IS DISTINCT FROM (SELECT step_name FROM "window")
    GROUP BY e.name, e.called, p.cause
),

named AS (
    SELECT r.range_id, s.cause, s.name, s.called, s.refutable, s.of_library
    FROM paths AS p
    INNER JOIN spoken AS s ON list_contains(p.names, s.name)
    INNER JOIN range_paths AS r ON r.path_id = p.path_id
),

to_prove AS (
    SELECT * FROM named WHERE refutable AND NOT of_library AND cause IN (SELECT cause FROM proving_states)
),

pieces AS (
    SELECT
        n.cause,
        n.called,
        s.end_ns - s.start_ns AS length_ns,
        (n.cause, s.state) IN (SELECT (cause, state) FROM proving_states)
        OR m.cause IS NOT NULL
        OR (
            c.direction = 'Device-to-Host' AND c.bytes > read_back_bytes()
            AND (n.cause, 'download') IN (SELECT (cause, state) FROM proving_states)
        )
        OR (f.loads_module AND (n.cause, 'module') IN (SELECT (cause, state) FROM proving_states)) AS proves
    FROM to_prove AS n
    INNER JOIN segments AS s ON s.range_id = n.range_id
    LEFT JOIN copies AS c ON c.activity_id = coalesce(s.activity_id, s.gap_id)
    LEFT JOIN gap_facts AS f ON f.gap_id = s.gap_id
    LEFT JOIN matched_segments AS m ON m.segment_id = s.segment_id AND m.cause = n.cause
),

unproven AS (
    SELECT cause, called
    FROM pieces
    GROUP BY cause, called
    HAVING coalesce(sum(length_ns) FILTER (proves), 0) < 0.01 * sum(length_ns)
),

tiles AS (
    SELECT track AS pid, start_ns, end_ns, id AS range_id FROM range_tiles WHERE id IN (SELECT range_id FROM named)
),

compute AS (
    SELECT pid, launch_start_ns, end_ns - start_ns AS length_ns
    FROM window_activities
    WHERE kind = 'compute' AND EXISTS (FROM tiles)
),

launched AS (
    SELECT t.range_id, sum(a.length_ns) AS compute_ns
    FROM compute AS a
    ASOF INNER JOIN tiles AS t ON t.pid = a.pid AND a.launch_start_ns >= t.start_ns
    WHERE a.launch_start_ns < t.end_ns
    GROUP BY t.range_id
),

launching AS (
    SELECT n.cause, n.called, bool_or(n.of_library) AS of_library, sum(l.compute_ns) AS compute_ns
    FROM named AS n
    INNER JOIN launched AS l ON l.range_id = n.range_id
    WHERE n.refutable
    GROUP BY n.cause, n.called
),

times AS (
    SELECT c.called, count(*) AS times
    FROM main_ranges AS e
    INNER JOIN called_names AS c ON c.name = e.name
    CROSS JOIN "window" AS w
    WHERE c.called IN (SELECT called FROM launching) AND e.end_ns > w.start_ns AND e.start_ns < w.end_ns
    GROUP BY c.called
),

lost AS (
    SELECT n.cause, n.called, sum(s.end_ns - s.start_ns) AS lost_ns
    FROM named AS n
    INNER JOIN segments AS s ON s.range_id = n.range_id
    WHERE n.refutable
    GROUP BY n.cause, n.called
),

over_steps AS (
    SELECT n.cause, n.called
    FROM (SELECT DISTINCT cause, called FROM named WHERE of_library) AS n
    INNER JOIN called_names AS c ON c.called = n.called
    INNER JOIN main_ranges AS e ON e.name = c.name
    ASOF INNER JOIN steps AS p ON e.start_ns <= p.start_ns
    WHERE p.end_ns <= e.end_ns
),

working AS (
    SELECT l.cause, l.called
    FROM launching AS l
    INNER JOIN times AS t ON t.called = l.called
    LEFT JOIN lost AS o ON o.cause = l.cause AND o.called = l.called
    CROSS JOIN "window" AS w
    CROSS JOIN (SELECT sum(length_ns) AS compute_ns FROM compute) AS c
    WHERE
        (l.compute_ns >= 0.5 * c.compute_ns AND (NOT l.of_library OR l.compute_ns >= 0.1 * coalesce(o.lost_ns, 0)))
        OR (l.compute_ns >= 0.5 * c.compute_ns * t.times / w.steps AND l.compute_ns >= 0.1 * coalesce(o.lost_ns, 0))
    UNION
    SELECT cause, called FROM over_steps
)

SELECT
    n.range_id,
    n.cause,
    n.name,
    CASE
        WHEN w.called IS NOT NULL THEN 'work'
        WHEN u.called IS NOT NULL AND 'OSRT_API' IN (SELECT table_name FROM recorded_tables) THEN 'nothing'
    END AS refuted_by
FROM named AS n
LEFT JOIN working AS w ON w.cause = n.cause AND w.called = n.called
LEFT JOIN unproven AS u ON u.cause = n.cause AND u.called = n.called;

COMMENT ON TABLE called_ranges IS 'NVTX ranges under names that speak for a cause';
COMMENT ON COLUMN called_ranges.name IS 'the name, of the range or of one around it';
COMMENT ON COLUMN called_ranges.refuted_by IS 'work (half of the compute is launched under the name, or whole steps lie in it) or nothing (that of which it speaks is not done there); NULL where the name counts';
