-- One row for each step, on the GPU's timeline: from the first activity that the step launched to the first activity of the
-- next one, so that no time between two steps is left out. The first step of a capture begins where its range does. The last
-- one ends with its ranges or its last activity, whichever is later.
-- reads: activities, options, step_marks, step_ranges
CREATE TABLE steps AS
WITH ranges AS (
    SELECT
        row_number() OVER (ORDER BY start_ns) - 1 AS step,
        pid,
        start_ns,
        until_ns
    FROM step_ranges
),

work AS (
    SELECT
        r.step,
        min(a.start_ns) AS first_activity_ns,
        max(CASE WHEN a.launch_start_ns <= r.until_ns THEN a.end_ns END) AS last_activity_ns
    FROM activities AS a
    ASOF INNER JOIN ranges AS r ON r.pid = a.pid AND a.launch_start_ns >= r.start_ns
    GROUP BY r.step
),

projected AS (
    SELECT
        r.step,
        CASE WHEN r.step = 0 THEN least(r.start_ns, w.first_activity_ns) ELSE w.first_activity_ns END AS start_ns,
        CASE
            WHEN r.step = (SELECT max(step) FROM work)
                THEN greatest(w.last_activity_ns, CASE WHEN l.step > r.step + 1 THEN r.until_ns ELSE l.until_ns END)
        END AS last_end_ns
    FROM ranges AS r
    INNER JOIN work AS w ON w.step = r.step
    CROSS JOIN (SELECT max(step) AS step, max(until_ns) AS until_ns FROM ranges) AS l
    UNION ALL
    SELECT row_number() OVER (ORDER BY start_ns) - 1, start_ns, NULL FROM step_marks
),

-- where the window was asked for in times, the activities of the steps before it may not have been read
first_step AS (
    SELECT CASE WHEN (SELECT window_from_ns FROM options) IS NULL THEN 0 ELSE coalesce(min(step), 0) END AS step FROM projected
),

-- a step that launches nothing, or starts before the one before it did, is part of the one before it; not several at the end,
-- where CUDA is recorded no more
ordered AS (
    SELECT *, max(start_ns) OVER (ORDER BY step ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached_ns
    FROM projected
)

SELECT
    CAST(row_number() OVER (ORDER BY start_ns) - 1 + f.step AS INTEGER) AS step,
    start_ns,
    coalesce(lead(start_ns) OVER (ORDER BY start_ns), last_end_ns) AS end_ns
FROM ordered, first_step AS f
WHERE reached_ns IS NULL OR start_ns > reached_ns
QUALIFY coalesce(lead(start_ns) OVER (ORDER BY start_ns), last_end_ns) > start_ns
ORDER BY start_ns;

COMMENT ON TABLE steps IS 'iterations of the program''s loop, on the GPU''s timeline; they follow each other without a gap';
COMMENT ON COLUMN steps.step IS 'number, from 0';
COMMENT ON COLUMN steps.end_ns IS 'end, which is the start of the next one, ns';
