-- How long each step of the window took, from the end of the work of the step before to the end of its own work.
--
-- In `steps` a step ends where the first activity of the next one starts. A program that prefetches starts the copies of each
-- step several steps ahead. Its steps would seem to take as long as these copies, all but the last (pageable_fixed: 2.4 ms of
-- 72.4).
--
-- A window that is one piece, such as a recording that a mean over its steps would not describe, has none.
-- reads: activities, is_steps, step_ranges, steps, window, window_regimes, window_steps, window_unit
CREATE TABLE step_times AS
WITH ranges AS (
    SELECT row_number() OVER (ORDER BY start_ns) AS place, pid, start_ns FROM step_ranges
),

launched AS (
    SELECT
        r.place,
        min(a.start_ns) AS first_activity_ns,
        coalesce(max(a.end_ns) FILTER (WHERE a.kind = 'compute'), max(a.end_ns)) AS done_ns
    FROM activities AS a
    ASOF INNER JOIN ranges AS r ON r.pid = a.pid AND a.launch_start_ns >= r.start_ns
    GROUP BY r.place
),

-- as in steps, a range that starts its work before the one before it did is part of that one
placed AS (
    SELECT max(first_activity_ns) OVER (ORDER BY place) AS start_ns, done_ns FROM launched
),

done AS (
    SELECT s.step, max(p.done_ns) AS done_ns
    FROM placed AS p
    ASOF INNER JOIN steps AS s ON p.start_ns >= s.start_ns
    GROUP BY s.step
),

whole AS (
    SELECT
        s.step,
        p.regime,
        min(s.start_ns) OVER of_regime AS from_ns,
        max(s.end_ns) OVER of_regime AS to_ns,
        coalesce(d.done_ns, s.end_ns) AS done_ns
    FROM steps AS s
    INNER JOIN window_regimes AS p ON s.start_ns >= p.start_ns AND s.end_ns <= p.end_ns
    LEFT JOIN done AS d ON d.step = s.step
    WHERE is_steps(p.kind) AND (SELECT unit FROM window_unit) <> 'window'
    WINDOW of_regime AS (PARTITION BY p.regime)
),

reached AS (
    SELECT step, regime, from_ns, to_ns, least(to_ns, greatest(from_ns, max(done_ns) OVER of_regime)) AS done_ns
    FROM whole
    WINDOW of_regime AS (PARTITION BY regime ORDER BY step)
)

-- the first step of a regime has no work before it: its time begins with what is left after the last step's work
SELECT
    step,
    CAST(
        done_ns - coalesce(lag(done_ns) OVER of_regime, from_ns - to_ns + max(done_ns) OVER (PARTITION BY regime)) AS BIGINT
    ) AS length_ns
FROM reached
WINDOW of_regime AS (PARTITION BY regime ORDER BY step)
UNION ALL
SELECT step, end_ns - start_ns
FROM window_steps
WHERE NOT is_steps((SELECT regime FROM "window"))
ORDER BY step;

COMMENT ON TABLE step_times IS 'how long each whole step of the window took; they add up to the time from the first to the last';
COMMENT ON COLUMN step_times.step IS 'number, as in steps';
COMMENT ON COLUMN step_times.length_ns IS 'time from the end of the work of the step before to the end of its own, ns';
