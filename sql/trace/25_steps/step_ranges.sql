-- One row for each NVTX range that is a step: those of the name that was asked for (options.step_name), else of the outermost
-- name that repeats. A range that mostly lies inside another repeating one is a phase, not a step, and so is a range of a single
-- operator. An epoch is many steps. Of several names, those count that repeat as often as the one that covers the most time,
-- give or take one; of these the one that comes first, and the step lasts until the last of those that follow. If a name has
-- fewer than ten ranges, each counts as long as their median, since some may compile.
--
-- Half of the activities must be launched inside of these ranges, unless a training library makes them once in each step: else
-- they mark a part of a step (a copy, an attention), and the launch sequence tells more.
-- reads: activities, busyness, called_names, main_ranges, options, paths, range_paths
CREATE TABLE step_ranges AS
-- a trace has many ranges, and few names and paths
WITH grouped AS (
    SELECT
        e.track AS pid,
        e.name,
        p.path_id,
        count(*) AS times,
        min(e.start_ns) AS first_ns
    FROM main_ranges AS e
    INNER JOIN range_paths AS p ON p.range_id = e.id
    GROUP BY ALL
),

called AS (
    SELECT
        g.pid,
        g.name,
        c.called,
        p.path,
        p.called[:-2] AS outer_names,
        g.times,
        g.first_ns,
        sum(g.times) OVER (PARTITION BY g.pid, c.called) AS all_times,
        bool_or(list_contains(outer_names, c.called)) OVER (PARTITION BY g.pid, c.called) AS nests,
        regexp_matches(c.called, '(^|[ _])epochs?[ _#:=-]*\d*$', 'i') AS is_epoch
    FROM grouped AS g
    INNER JOIN called_names AS c ON c.name = g.name
    INNER JOIN paths AS p ON p.path_id = g.path_id
),

-- a range that lies in one of its own name does not repeat
outermost AS (
    SELECT pid, called, count(CASE WHEN start_ns >= coalesce(until_ns, start_ns) THEN 1 END) AS times
    FROM (
        SELECT
            e.track AS pid,
            c.called,
            e.start_ns,
            max(e.end_ns) OVER (
                PARTITION BY e.track, c.called ORDER BY e.start_ns, e.end_ns DESC
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) AS until_ns
        FROM main_ranges AS e
        INNER JOIN called_names AS c ON c.name = e.name
        SEMI JOIN (SELECT pid, called FROM called WHERE nests) AS n ON n.pid = e.track AND n.called = c.called
    )
    GROUP BY pid, called
),

named AS (
    SELECT c.* REPLACE (coalesce(o.times, c.all_times) AS all_times)
    FROM called AS c
    LEFT JOIN outermost AS o ON o.pid = c.pid AND o.called = c.called
),

repeating AS (
    SELECT DISTINCT pid, called FROM named WHERE all_times >= 3 AND NOT is_epoch
),

-- which ranges lie inside of a repeating one, asked once for each path
inside AS (
    SELECT DISTINCT n.pid, n.path
    FROM (SELECT DISTINCT pid, called, path, unnest(outer_names) AS outer_name FROM named) AS n
    INNER JOIN repeating AS r ON r.pid = n.pid AND r.called = n.outer_name
    WHERE n.outer_name <> n.called
),

usual AS (
    SELECT
        e.track AS pid,
        c.called,
        CASE
            WHEN count(*) < 10 THEN count(*) * median(e.end_ns - e.start_ns) ELSE sum(e.end_ns - e.start_ns)
        END AS usual_ns
    FROM main_ranges AS e
    INNER JOIN called_names AS c ON c.name = e.name
    GROUP BY e.track, c.called
),

activities_of AS (
    SELECT pid, count(*) AS activities, min(gpu) AS gpu FROM activities GROUP BY pid
),

candidates AS (
    SELECT
        n.pid,
        n.called,
        any_value(n.all_times) AS times,
        any_value(u.usual_ns) AS usual_ns,
        min(n.first_ns) AS first_ns,
        max(a.activities) AS activities,
        min(a.gpu) AS gpu
    FROM named AS n
    INNER JOIN activities_of AS a ON a.pid = n.pid
    INNER JOIN usual AS u ON u.pid = n.pid AND u.called = n.called
    LEFT JOIN inside AS i ON i.pid = n.pid AND i.path = n.path
    WHERE
        CASE
            WHEN (SELECT step_name FROM options) IS NOT NULL THEN (SELECT step_name FROM options) IN (n.name, n.called)
            ELSE
                n.all_times >= 3 AND NOT n.is_epoch AND i.path IS NULL
                -- operators of PyTorch and its autograd, XLA's instructions and passes, marks of tracers, calls of libraries
                AND NOT regexp_matches(n.called, '^(aten|autograd|c10|c10d|prim|torch|nccl|record_param_comms|Thunk|TfrtOp)\b')
                AND NOT regexp_matches(n.called, '^Xla(Pass|Compile)|Backward\d*$|traceMarker|^cu(da)?[A-Z]')
        END
    GROUP BY n.pid, n.called
    HAVING sum(n.times) >= 0.5 * any_value(n.all_times)
),

-- the process with the most activities decides; of ranks that do the same, that of the first GPU
leader AS (
    SELECT pid FROM candidates ORDER BY busyness(activities) DESC, gpu, pid LIMIT 1
),

-- what a training library marks once in each step comes before names that the program gave to something
made_by_library AS (
    SELECT called
    FROM candidates
    WHERE
        pid IN (FROM leader)
        AND regexp_matches(called, '^ProfilerStep\b|run_training_batch$|^Optimizer\.step#|^enumerate\(DataLoader\)')
),

widest AS (
    SELECT max_by(times, usual_ns) AS times
    FROM candidates
    WHERE pid IN (FROM leader) AND (called IN (FROM made_by_library) OR NOT EXISTS (FROM made_by_library))
),

as_often AS (
    SELECT c.pid, c.called, c.first_ns, c.usual_ns
    FROM candidates AS c, widest AS w
    WHERE c.pid IN (FROM leader) AND c.times BETWEEN w.times - 1 AND w.times + 1
),

chosen AS (
    SELECT pid, called FROM as_often ORDER BY first_ns, usual_ns DESC LIMIT 1
),

marking AS (
    SELECT o.pid, o.called, e.name, e.start_ns, e.end_ns
    FROM main_ranges AS e
    INNER JOIN called_names AS c ON c.name = e.name
    INNER JOIN as_often AS o ON o.pid = e.track AND o.called = c.called
    SEMI JOIN range_paths AS p ON p.range_id = e.id
),

launched AS (
    SELECT pid, launch_start_ns
    FROM activities
    WHERE
        pid IN (FROM leader)
        AND launch_start_ns BETWEEN (SELECT min(start_ns) FROM marking) AND (SELECT max(end_ns) FROM marking)
),

launched_inside AS (
    SELECT count(*) AS activities
    FROM launched AS a
    ASOF INNER JOIN marking AS m ON m.pid = a.pid AND a.launch_start_ns >= m.start_ns
    WHERE a.launch_start_ns <= m.end_ns
),

first_marks AS (
    FROM marking SEMI JOIN chosen USING (pid, called)
),

-- of each name the first range in the step: what comes as often may also come after the loop
followed AS (
    SELECT f.start_ns, m.called, min(m.end_ns) AS end_ns
    FROM marking AS m
    ASOF INNER JOIN first_marks AS f ON f.pid = m.pid AND m.start_ns >= f.start_ns
    GROUP BY f.start_ns, m.called
),

step_ends AS (
    SELECT start_ns, max(end_ns) AS until_ns
    FROM followed
    WHERE
        called IN (
            SELECT called FROM followed GROUP BY called HAVING count(*) >= 0.5 * (SELECT count(*) FROM first_marks)
        )
    GROUP BY start_ns
)

SELECT
    f.pid,
    f.called AS name,
    f.start_ns,
    f.end_ns,
    greatest(f.end_ns, s.until_ns) AS until_ns
FROM first_marks AS f
INNER JOIN step_ends AS s ON s.start_ns = f.start_ns
WHERE
    (SELECT step_name FROM options) IS NOT NULL
    OR EXISTS (FROM made_by_library)
    OR (SELECT activities FROM launched_inside) >= 0.5 * (SELECT count(*) FROM launched)
ORDER BY f.start_ns;

COMMENT ON TABLE step_ranges IS 'the NVTX ranges that mark steps; empty where no range repeats';
COMMENT ON COLUMN step_ranges.pid IS 'process whose loop it is';
COMMENT ON COLUMN step_ranges.name IS 'what the range is called, as in called_names';
COMMENT ON COLUMN step_ranges.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN step_ranges.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN step_ranges.until_ns IS 'CPU end of the step''s last range, ns: where forward, backward and update repeat equally often, that of update';
