-- One row for each step: how much it runs, and how much of that is more than a step runs as a rule. With an NVTX range for the
-- step, this is what is launched outside of such a range. Else it is what comes after about the usual number of activities of a
-- step: from the longest pause near that number on (step_spread), or, where little comes, right after it, since a step begins
-- with its own work (optimizer_marks). What comes after the last step has the number NULL.
-- reads: activities, copies, exceeds_a_step, few_activities, migrations, step_marks, step_ranges, step_spread, steps
CREATE TABLE step_contents AS
WITH looping AS (
    SELECT pid FROM step_ranges
    UNION
    SELECT pid FROM step_marks
),

spans AS (
    SELECT step, start_ns, end_ns FROM steps
    UNION ALL
    SELECT NULL, max(end_ns), 9223372036854775807 FROM steps HAVING count(*) > 0
),

contained AS (
    SELECT s.step, a.activity_id, a.pid, a.kind, a.start_ns, a.end_ns, a.launch_start_ns
    FROM (SELECT * FROM activities WHERE pid IN (FROM looping)) AS a
    ASOF INNER JOIN spans AS s ON a.start_ns >= s.start_ns
    -- no call launches them, and their number varies
    ANTI JOIN migrations AS m ON m.activity_id = a.activity_id
),

counted AS (
    SELECT step, count(*) AS activities FROM contained GROUP BY step
),

usual AS (
    SELECT median(activities) AS activities FROM counted WHERE step IS NOT NULL
),

longer AS (
    SELECT
        a.*,
        u.activities AS usual,
        row_number() OVER before AS place,
        a.start_ns - max(a.end_ns) OVER (before ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS pause_ns
    FROM contained AS a
    INNER JOIN counted AS c ON c.step = a.step
    CROSS JOIN usual AS u
    WHERE NOT EXISTS (FROM step_ranges) AND c.activities > u.activities
    WINDOW before AS (PARTITION BY a.step ORDER BY a.start_ns, a.activity_id)
),

left_off AS (
    SELECT l.step, arg_max(l.place, l.pause_ns) AS place
    FROM longer AS l
    INNER JOIN counted AS c ON c.step = l.step
    WHERE
        CASE
            WHEN exceeds_a_step(c.activities, l.usual)
                THEN l.place BETWEEN (1 - step_spread()) * l.usual AND (1 + step_spread()) * l.usual + 1
            ELSE l.place = CAST(l.usual AS BIGINT) + 1
        END
    GROUP BY l.step
),

outside AS (
    SELECT a.*
    FROM (SELECT * FROM contained WHERE EXISTS (FROM step_ranges) AND launch_start_ns IS NOT NULL) AS a
    ASOF INNER JOIN (SELECT pid, start_ns AS range_start_ns, until_ns AS range_end_ns FROM step_ranges) AS r
        ON r.pid = a.pid AND a.launch_start_ns >= r.range_start_ns
    WHERE a.launch_start_ns > r.range_end_ns AND a.step IS NOT NULL
    UNION ALL
    SELECT l.* EXCLUDE (usual, place, pause_ns)
    FROM longer AS l
    INNER JOIN left_off AS o ON o.step = l.step AND l.place >= o.place
    UNION ALL
    SELECT * FROM contained WHERE step IS NULL
),

more AS (
    SELECT
        o.step,
        count(*) AS activities,
        count(*) FILTER (WHERE o.kind = 'compute') AS kernels,
        count(*) FILTER (WHERE c.direction = 'Device-to-Host') AS copies_back,
        min(o.start_ns) AS first_ns,
        max(o.end_ns) AS last_ns,
        max(o.end_ns) FILTER (WHERE o.kind = 'compute') AS computes_until_ns
    FROM outside AS o
    LEFT JOIN copies AS c ON c.activity_id = o.activity_id
    GROUP BY o.step
),

-- the most copies to the host without a kernel between them
copied_back AS (
    SELECT step, kernels_before, count(*) AS copies_back, max(kernel_end_ns) AS from_ns
    FROM (
        SELECT
            o.step,
            o.activity_id,
            count(CASE WHEN o.kind = 'compute' THEN 1 END) OVER before AS kernels_before,
            max(CASE WHEN o.kind = 'compute' THEN o.end_ns END) OVER before AS kernel_end_ns
        FROM outside AS o
        WINDOW before AS (PARTITION BY o.step ORDER BY o.start_ns, o.activity_id)
    ) AS o
    INNER JOIN copies AS c ON c.activity_id = o.activity_id AND c.direction = 'Device-to-Host'
    GROUP BY o.step, o.kernels_before
    QUALIFY row_number() OVER (PARTITION BY o.step ORDER BY count(*) DESC, o.kernels_before DESC) = 1
),

own AS (
    SELECT c.step, max(c.end_ns) AS end_ns
    FROM contained AS c
    INNER JOIN more AS m ON m.step = c.step AND c.start_ns < m.first_ns
    GROUP BY c.step
)

SELECT
    s.step,
    s.start_ns,
    CASE WHEN s.step IS NULL THEN m.last_ns ELSE s.end_ns END AS end_ns,
    coalesce(c.activities, 0) AS activities,
    coalesce(m.activities, 0) AS extra_activities,
    coalesce(m.kernels, 0) AS extra_kernels,
    CASE WHEN m.copies_back > m.kernels THEN 'checkpoint' ELSE 'validation' END AS extra_kind,
    CASE WHEN b.copies_back > few_activities() AND b.kernels_before > 0.5 * m.kernels THEN b.from_ns END AS saves_from_ns,
    least(o.end_ns, m.first_ns) AS own_end_ns,
    m.last_ns AS extra_end_ns,
    m.computes_until_ns
FROM spans AS s
LEFT JOIN counted AS c ON c.step IS NOT DISTINCT FROM s.step
LEFT JOIN more AS m ON m.step IS NOT DISTINCT FROM s.step
LEFT JOIN copied_back AS b ON b.step IS NOT DISTINCT FROM s.step
LEFT JOIN own AS o ON o.step = s.step
WHERE s.step IS NOT NULL OR m.activities > 0
ORDER BY s.start_ns;

COMMENT ON TABLE step_contents IS 'how much each step runs, and how much of that is not the step''s own';
COMMENT ON COLUMN step_contents.step IS 'number, as in steps; NULL for what comes after the last step';
COMMENT ON COLUMN step_contents.activities IS 'number of activities that start in it, without migrations';
COMMENT ON COLUMN step_contents.extra_activities IS 'of these: launched outside of the step''s range, or after the usual number of a step';
COMMENT ON COLUMN step_contents.extra_kernels IS 'of extra_activities: kernels and graphs';
COMMENT ON COLUMN step_contents.extra_kind IS 'what extra_activities would be: a checkpoint, which mostly copies to the host, or a validation';
COMMENT ON COLUMN step_contents.saves_from_ns IS 'from when on they copy back only, ns, where most of their kernels come before; else NULL';
COMMENT ON COLUMN step_contents.own_end_ns IS 'end of what runs before extra_activities, ns; NULL where there are none';
COMMENT ON COLUMN step_contents.extra_end_ns IS 'end of the last of extra_activities, ns';
COMMENT ON COLUMN step_contents.computes_until_ns IS 'end of the last of extra_kernels, ns; NULL where there are none';
