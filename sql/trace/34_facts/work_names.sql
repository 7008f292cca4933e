-- One row for each name of NVTX ranges that would speak for a cause, and encloses so much of the compute that it is the name of
-- the work itself. Names that are called the same are one.
--
-- Half of the compute is launched under it: of that of all steps, or of as many steps as there are ranges of the name. If there
-- are few, or a library gives the name, it must also compute for a tenth of the time that is lost under it: a compiler runs what
-- it compiled, and computes for a 50th of that time at most (XLA that autotunes in the loop). The name of a range of a library in
-- which whole steps lie is not one of what the library does in a step, either.
-- reads: called_names, cause_ranges, main_ranges, range_tiles, segments, steps, window, window_activities
CREATE TABLE work_names AS
WITH tiles AS (
    SELECT track AS pid, start_ns, end_ns, id AS range_id FROM range_tiles WHERE id IN (SELECT range_id FROM cause_ranges)
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
    FROM cause_ranges AS n
    INNER JOIN launched AS l ON l.range_id = n.range_id
    WHERE n.refutable
    GROUP BY n.cause, n.called
),

times AS (
    -- of a process, as the steps are
    SELECT c.called, count(*) / count(DISTINCT e.track) AS times
    FROM main_ranges AS e
    INNER JOIN called_names AS c ON c.name = e.name
    CROSS JOIN "window" AS w
    WHERE c.called IN (SELECT called FROM launching) AND e.end_ns > w.start_ns AND e.start_ns < w.end_ns
    GROUP BY c.called
),

lost AS (
    SELECT n.cause, n.called, sum(s.end_ns - s.start_ns) AS lost_ns
    FROM cause_ranges AS n
    INNER JOIN segments AS s ON s.range_id = n.range_id
    WHERE n.refutable
    GROUP BY n.cause, n.called
)

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
SELECT n.cause, n.called
FROM (SELECT DISTINCT cause, called FROM cause_ranges WHERE of_library) AS n
INNER JOIN called_names AS c ON c.called = n.called
INNER JOIN main_ranges AS e ON e.name = c.name
ASOF INNER JOIN steps AS p ON e.start_ns <= p.start_ns
WHERE p.end_ns <= e.end_ns;

COMMENT ON TABLE work_names IS 'names that seem to speak for a cause, and are those of the work itself';
COMMENT ON COLUMN work_names.cause IS 'the cause for which it does not speak';
COMMENT ON COLUMN work_names.called IS 'the name, as in called_names';
