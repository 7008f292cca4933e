-- Where each training step begins, in a program that has no NVTX range for a step and whose optimizer has kernels of its own. A
-- step ends with the optimizer, however many micro-batches come before it, and whatever is done between two steps (a validation,
-- a checkpoint) comes after it. So a step begins with its own first activity: as many before the last one of its optimizer as
-- usual.
--
-- An optimizer launches some kernels close together; with these come gradient scaling, clipping and averages of weights, which
-- use the same kernels. The usual distance between two such bursts, weighted by activities, is a step: a distance below a third
-- of it is within a burst. FSDP copies the parameters of each layer with the same kernels: a burst with less than half as many
-- of them as the largest three updates nothing. Programs with two optimizers, as GANs, have bursts at two distances in turn:
-- then every second one counts, or every nth of up to six.
-- reads: activities, busiest_gpu, exceeds_a_step, optimizer_kernels, options, step_ranges, step_spread
CREATE TABLE optimizer_marks AS
WITH optimizers AS (
    SELECT string_id FROM optimizer_kernels WHERE string_id IN (SELECT DISTINCT name_id FROM activities)
),

sequence AS (
    SELECT
        a.start_ns,
        a.end_ns,
        a.pid,
        a.name_id,
        row_number() OVER in_order AS place,
        max(a.end_ns) OVER (in_order ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached_ns
    FROM activities AS a
    INNER JOIN busiest_gpu AS b ON b.pid = a.pid AND b.gpu = a.gpu
    WHERE NOT EXISTS (FROM step_ranges) AND (SELECT step_name FROM options) IS NULL AND EXISTS (FROM optimizers)
    WINDOW in_order AS (ORDER BY a.start_ns, a.activity_id)
),

-- a twentieth: updates that span less of the sequence are those of a single step, of many micro-batches; in 30 sound traces they
-- span a quarter or more
updates AS (
    SELECT place, name_id, end_ns - start_ns AS length_ns, lead(place) OVER (ORDER BY place) - place AS distance
    FROM sequence
    WHERE name_id IN (SELECT string_id FROM optimizers)
    QUALIFY max(place) OVER () - min(place) OVER () >= 0.05 * (SELECT count(*) FROM sequence)
),

-- the distance at which half of all activities lie
middle_distance AS (
    SELECT max(distance) AS distance
    FROM (
        SELECT distance, sum(distance) OVER (ORDER BY distance DESC, place) AS covered, sum(distance) OVER () AS all_of_them
        FROM updates
    )
    WHERE covered >= 0.5 * all_of_them
),

-- 20: the kernels of a burst are closer
shorter AS (
    SELECT u.place, u.distance
    FROM updates AS u, middle_distance AS m
    WHERE u.distance >= 20 AND u.distance < m.distance / 3
),

-- half of the activities may be those of two or three validations, each after ten steps or more; where more come, as when PPO
-- steps environments before each 16 updates, these and the updates are one step
usual_distance AS (
    SELECT
        CASE
            WHEN l.times <= 3 AND s.times >= 10 * l.times AND s.activities >= 0.25 * l.all_of_them THEN s.distance
            ELSE m.distance
        END AS distance
    FROM middle_distance AS m
    CROSS JOIN (
        SELECT count(*) AS times, sum(distance) AS activities, median(distance) AS distance FROM shorter
    ) AS s
    CROSS JOIN (
        SELECT count_if(distance >= (SELECT distance FROM middle_distance) / 3) AS times, sum(distance) AS all_of_them
        FROM updates
    ) AS l
),

counted AS (
    SELECT place, distance, row_number() OVER in_order AS kernels_so_far, sum(length_ns) OVER in_order AS ns_so_far
    FROM updates
    WINDOW in_order AS (ORDER BY place)
),

together AS (
    SELECT
        place,
        kernels_so_far - lag(kernels_so_far, 1, 0) OVER (ORDER BY place) AS kernels,
        ns_so_far - lag(ns_so_far, 1, 0) OVER (ORDER BY place) AS length_ns
    FROM counted
    WHERE distance IS NULL OR distance >= (SELECT distance FROM usual_distance) / 3
),

bursts AS (
    SELECT
        place, length_ns, row_number() OVER (ORDER BY place) AS number, place - lag(place) OVER (ORDER BY place) AS activities
    FROM together
    WHERE 2 * kernels >= (SELECT min(kernels) FROM (SELECT kernels FROM together ORDER BY kernels DESC LIMIT 3))
),

-- Of a second optimizer, of a generator after each few updates of a critic: much less is launched before, and the update itself
-- takes another time (a fifth more; one optimizer's differ by 3 %). The last update of an epoch has less before it, too, and what
-- is logged every fourth step makes some distances longer: neither is an update of another optimizer.
two_optimizers AS (
    SELECT 1
    FROM (SELECT length_ns, activities < 0.8 * median(activities) OVER () AS is_short FROM bursts WHERE activities IS NOT NULL)
    HAVING
        count_if(is_short) >= 3
        AND abs(median(length_ns) FILTER (is_short) / median(length_ns) FILTER (NOT is_short) - 1) > 0.1
),

-- how often a burst is as far from the one before it as the nth burst before it was: of the best numbers the lowest
alike AS (
    SELECT n.every, count(*) FILTER (WHERE abs(b.activities - o.activities) <= 0.02 * o.activities) / count(*) AS share
    FROM (SELECT unnest([1, 2, 3, 4, 5, 6]) AS every) AS n
    CROSS JOIN bursts AS b
    INNER JOIN bursts AS o ON o.number = b.number - n.every
    WHERE b.activities IS NOT NULL AND o.activities IS NOT NULL AND (n.every <= 3 OR EXISTS (FROM two_optimizers))
    GROUP BY n.every
    HAVING count(*) >= 3
),

in_turn AS (
    SELECT coalesce(min(every) FILTER (WHERE share >= 0.7 AND share >= first_share + 0.3), 1) AS every
    FROM (SELECT every, share, first(share) OVER (ORDER BY every) AS first_share FROM alike)
),

ends AS (
    SELECT b.place, b.place - lag(b.place) OVER (ORDER BY b.place) AS activities
    FROM bursts AS b, in_turn AS t
    WHERE b.number % t.every = 0
),

-- fewer than three distances may lie between updates that do not repeat, such as of averages at both ends of a loop: of these,
-- or of one and what comes before the first update, two have to be alike
usual AS (
    SELECT u.activities, u.steps
    FROM (SELECT median(activities) AS activities, count(activities) AS steps FROM ends) AS u
    INNER JOIN ends AS e ON abs(coalesce(e.activities, e.place) - u.activities) <= step_spread() * u.activities
    GROUP BY u.activities, u.steps
    HAVING u.steps >= 3 OR count(*) >= 2
),

-- 1 %: a step with as many activities as usual begins right after the one before it. Where more lies between, it has the usual
-- number. Where much more does, it begins after the longest pause in which it can. The first one may do what the others do not;
-- where there are few, it counts if it is recorded as a whole.
following AS (
    SELECT e.place + 1 - CASE WHEN e.activities <= 1.01 * u.activities THEN e.activities ELSE round(u.activities) END AS place
    FROM ends AS e, usual AS u
    WHERE NOT exceeds_a_step(e.activities, u.activities)
    UNION ALL
    SELECT e.place + 1 - round(u.activities)
    FROM ends AS e, usual AS u
    WHERE e.activities IS NULL AND u.steps < 3 AND e.place BETWEEN u.activities AND (1 + step_spread()) * u.activities
),

detached AS (
    SELECT arg_max(s.place, s.start_ns - s.reached_ns) AS place
    FROM ends AS e
    CROSS JOIN usual AS u
    INNER JOIN sequence AS s
        ON
            s.place >= e.place - (1 + step_spread()) * u.activities
            AND s.place <= e.place + 1 - CASE WHEN e.activities IS NULL THEN 1 ELSE 1 - step_spread() END * u.activities
    WHERE
        exceeds_a_step(e.activities, u.activities)
        OR (e.activities IS NULL AND e.place >= (1 + step_spread()) * u.activities)
    GROUP BY e.place
),

begun AS (
    SELECT pid, start_ns, start_ns - lag(start_ns) OVER (ORDER BY start_ns) AS last_length_ns
    FROM sequence
    WHERE place IN (SELECT place FROM following) OR place IN (SELECT place FROM detached)
),

-- The last step ends with its update. Where it then takes less than half as long as any other, a pause after the update is a part
-- of each step, and when the last one ends is unknown. Ranks that communicate keep it: all have the same steps.
ended AS (
    SELECT s.pid, s.end_ns
    FROM sequence AS s
    WHERE
        s.place = (SELECT max(place) FROM ends WHERE EXISTS (FROM usual))
        AND (
            s.end_ns - (SELECT max(start_ns) FROM begun) >= 0.5 * coalesce((SELECT min(last_length_ns) FROM begun), 0)
            OR EXISTS (FROM activities WHERE kind = 'communication')
        )
),

marks AS (
    SELECT pid, start_ns FROM begun
    UNION ALL
    SELECT pid, end_ns FROM ended
)

SELECT pid, start_ns, (SELECT min(CAST(name_id AS VARCHAR)) FROM updates) AS name
FROM marks
ORDER BY start_ns;

COMMENT ON TABLE optimizer_marks IS 'where each training step begins, by the kernels of its optimizer; empty where NVTX ranges mark the steps, or no such kernels repeat';
COMMENT ON COLUMN optimizer_marks.pid IS 'process whose loop it is';
COMMENT ON COLUMN optimizer_marks.start_ns IS 'GPU start of the first activity of the step, ns since the session began; for the last row, mostly, the end of the last step';
COMMENT ON COLUMN optimizer_marks.name IS 'id of the name of a kernel of the optimizer';
