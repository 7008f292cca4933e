-- One row for each period of the launch sequence: where a kernel, or another marker, runs that begins each iteration.
--
-- A kernel that runs once in each iteration has the same number of activities between its runs. A kernel that runs in each
-- layer has nearly the same number, but not quite, because the way from the last layer to the first layer of the next iteration
-- is longer. So a marker is a kernel whose regular intervals cover at least 70 % as many activities as those of the best
-- kernel. (Not all: the first interval of a rare kernel is cut off by the start of what is judged; the last one counts as far as
-- it goes.) Of several markers the rarest wins. The parts are judged one after the other, and loops after all of them.
--
-- Where a few inputs of different shapes take turns, some kernels run for one of them only, in place of others. So a kernel wins
-- against a rarer one if it has the same number of activities between nearly all its runs, and kernels that run as often as it
-- does make most of them: the rarer one changes what an iteration runs, not how much.
-- reads: judged_parts, launch_intervals, marker_order
CREATE TABLE launch_periods AS
WITH intervals AS MATERIALIZED (
    FROM launch_intervals
),

usual AS (
    SELECT p.part, i.name, i.marker, mode(i.activities ORDER BY i.activities DESC) AS activities
    FROM intervals AS i, judged_parts AS p
    WHERE i.place >= p.place AND i.activities IS NOT NULL
    GROUP BY p.part, i.name, i.marker
),

-- A kernel that only follows itself has no period. A whole graph may be an iteration by itself, and so may be what a call
-- follows, and each launch where nothing else repeats.
scored AS (
    SELECT
        u.part,
        u.name,
        u.marker,
        u.activities,
        sum(CASE WHEN i.place >= p.place THEN coalesce(i.activities, p.end_place - i.place) ELSE 0 END) AS covered
    FROM usual AS u
    INNER JOIN judged_parts AS p ON p.part = u.part
    INNER JOIN intervals AS i
        ON
            i.name = u.name AND i.marker = u.marker
            AND coalesce(i.activities = u.activities, p.end_place - i.place <= u.activities)
    WHERE u.activities > 1 OR u.name = 'graph' OR u.marker IN ('stream call', 'wait', 'launch', 'loop')
    GROUP BY u.part, u.name, u.marker, u.activities
    HAVING count(i.activities) >= 3
),

rarest AS (
    SELECT s.part, s.name, s.marker, s.activities
    FROM (SELECT *, max(covered) OVER (PARTITION BY part, marker) AS most FROM scored) AS s
    INNER JOIN judged_parts AS p ON p.part = s.part
    WHERE s.covered >= 0.7 * s.most AND s.covered >= 0.5 * p.activities
    ORDER BY s.marker = 'loop', s.part, marker_order(s.marker), s.activities DESC, s.covered DESC, s.name
    LIMIT 1
),

runs AS (
    SELECT i.name, count(*) AS runs
    FROM intervals AS i
    INNER JOIN rarest AS r ON r.marker = i.marker AND r.marker = 'kernel'
    INNER JOIN judged_parts AS p ON p.part = r.part AND i.place >= p.place
    GROUP BY i.name
),

-- Few counts differ: the kernels of k of them run k² / 2 times at least.
counts AS (
    SELECT runs, sum(runs) AS activities FROM runs GROUP BY runs
),

as_often AS (
    SELECT c.runs, sum(o.activities) AS activities
    FROM counts AS c
    INNER JOIN counts AS o ON o.runs >= 0.95 * c.runs
    GROUP BY c.runs
),

-- 0.7: of eight shapes of ragged batches, what runs for all makes 0.76 and 0.91; of two iterations that differ, half
steady AS (
    SELECT s.name, s.activities
    FROM scored AS s
    INNER JOIN rarest AS r ON r.part = s.part AND r.marker = s.marker AND r.activities > s.activities
    INNER JOIN judged_parts AS p ON p.part = s.part
    INNER JOIN runs AS own ON own.name = s.name
    INNER JOIN as_often AS o ON o.runs = own.runs
    WHERE s.covered >= 0.95 * p.activities AND r.activities % s.activities = 0 AND o.activities >= 0.7 * p.activities
),

chosen AS (
    SELECT r.part, r.marker, coalesce(s.name, r.name) AS name, coalesce(s.activities, r.activities) AS activities
    FROM rarest AS r
    LEFT JOIN steady AS s ON true
    ORDER BY s.activities DESC, s.name
    LIMIT 1
),

-- Start-up ends at the first usual interval after which most are usual, until what is judged begins. Usual is a length that
-- what is judged has. A single odd interval later is a step that does more.
before AS (
    SELECT
        i.place,
        p.place AS judged_place,
        i.activities = m.activities OR i.activities IN (
            SELECT j.activities
            FROM intervals AS j
            WHERE j.name = m.name AND j.marker = m.marker AND j.place >= p.place AND j.activities IS NOT NULL
        ) AS is_usual
    FROM intervals AS i
    INNER JOIN chosen AS m ON m.name = i.name AND m.marker = i.marker
    INNER JOIN judged_parts AS p ON p.part = m.part
    WHERE i.place < p.place
),

settled_down AS (
    SELECT coalesce(min(place) FILTER (is_usual AND usual_since > 0.5), any_value(judged_place), 0) AS place
    FROM (SELECT *, avg(CAST(is_usual AS INTEGER)) OVER (ORDER BY place DESC) AS usual_since FROM before)
)

SELECT i.pid, i.start_ns, i.name
FROM intervals AS i
INNER JOIN chosen AS m ON m.name = i.name AND m.marker = i.marker
CROSS JOIN settled_down AS d
WHERE i.place >= d.place;

COMMENT ON TABLE launch_periods IS 'where the launch sequence begins again; empty where nothing repeats';
COMMENT ON COLUMN launch_periods.start_ns IS 'GPU start of the marking activity, ns since the session began';
COMMENT ON COLUMN launch_periods.name IS 'name of the marker, as in step_marks';
