-- One row for each period of the launch sequence: where a kernel, or another marker, runs that begins each iteration.
--
-- A kernel that runs once in each iteration has the same number of activities between its runs. A kernel that runs in each
-- layer has nearly the same number, but not quite, because the way from the last layer to the first layer of the next iteration
-- is longer. So a marker is a kernel whose regular intervals cover at least 70 % as many activities as those of the best
-- kernel. (Not all: the first interval of a rare kernel is cut off by the start of what is judged; the last one counts as far as
-- it goes.) Of several markers the rarest wins. The parts are judged one after the other; choice 8 comes after all of them.
-- reads: judged_parts, launch_intervals
CREATE TABLE launch_periods AS
WITH intervals AS MATERIALIZED (
    FROM launch_intervals
),

usual AS (
    SELECT p.part, i.name, i.choice, mode(i.activities ORDER BY i.activities DESC) AS activities
    FROM intervals AS i, judged_parts AS p
    WHERE i.place >= p.place AND i.activities IS NOT NULL
    GROUP BY p.part, i.name, i.choice
),

-- A kernel that only follows itself has no period. A whole graph is an iteration by itself, and so may be what a call follows,
-- and each launch where nothing else repeats.
scored AS (
    SELECT
        u.part,
        u.name,
        u.choice,
        u.activities,
        sum(CASE WHEN i.place >= p.place THEN coalesce(i.activities, p.end_place - i.place) ELSE 0 END) AS covered
    FROM usual AS u
    INNER JOIN judged_parts AS p ON p.part = u.part
    INNER JOIN intervals AS i
        ON
            i.name = u.name AND i.choice = u.choice
            AND coalesce(i.activities = u.activities, p.end_place - i.place <= u.activities)
    WHERE u.activities > 1 OR u.name = 'graph' OR u.choice >= 5
    GROUP BY u.part, u.name, u.choice, u.activities
    HAVING count(i.activities) >= 3
),

marker AS (
    SELECT s.part, s.name, s.choice, s.activities
    FROM (SELECT *, max(covered) OVER (PARTITION BY part, choice) AS most FROM scored) AS s
    INNER JOIN judged_parts AS p ON p.part = s.part
    WHERE s.covered >= 0.7 * s.most AND s.covered >= 0.5 * p.activities
    ORDER BY s.choice = 8, s.part, s.choice, s.activities DESC, s.covered DESC, s.name
    LIMIT 1
),

-- irregular intervals before what is judged are start-up, unless that has such intervals too
settled_down AS (
    SELECT coalesce(max(i.place + i.activities), 0) AS place
    FROM intervals AS i
    INNER JOIN marker AS m ON m.name = i.name AND m.choice = i.choice AND m.activities <> i.activities
    INNER JOIN judged_parts AS p ON p.part = m.part
    WHERE
        i.place < p.place
        AND i.activities NOT IN (
            SELECT j.activities
            FROM intervals AS j
            WHERE j.name = m.name AND j.choice = m.choice AND j.place >= p.place AND j.activities IS NOT NULL
        )
)

SELECT i.pid, i.start_ns, i.name
FROM intervals AS i
INNER JOIN marker AS m ON m.name = i.name AND m.choice = i.choice
CROSS JOIN settled_down AS d
WHERE i.place >= d.place;

COMMENT ON TABLE launch_periods IS 'where the launch sequence begins again; empty where nothing repeats';
COMMENT ON COLUMN launch_periods.start_ns IS 'GPU start of the marking activity, ns since the session began';
COMMENT ON COLUMN launch_periods.name IS 'the marker, as in step_marks';
