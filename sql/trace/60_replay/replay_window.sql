-- One row: the steps that are replayed, and their process. They follow each other without a break: where the window has several
-- regimes, they are of the one with the most steps. Of up to 20 steps these are all. Of more they are as many in a row as have
-- about 5,000 activities, and at least 3, since a replay takes 1 to 2 us for each activity: from the middle, or the nearest to it
-- that take as long as the mean step, in tenths of it. Those of a rank have about 20,000, since which rank is late changes from
-- step to step. Of long steps they are as many as a replay may have. The process is the one with the most activities; of ranks
-- that do the same, that of the first GPU.
-- reads: activity_totals, busyness, gpu_busy, most_replayed, window, window_regimes, window_steps
CREATE TABLE replay_window AS
WITH busiest AS (
    SELECT
        pid,
        CAST(sum(activities) AS BIGINT) AS activities,
        CASE WHEN EXISTS (SELECT 1 FROM activity_totals WHERE kind = 'communication') THEN 20000 ELSE 5000 END AS enough
    FROM activity_totals
    GROUP BY pid
    ORDER BY busyness(sum(activities)) DESC, min(gpu), pid
    LIMIT 1
),

followed AS (
    SELECT *, lag(end_ns) OVER (ORDER BY start_ns) AS last_end_ns FROM window_steps
),

-- steps that follow each other
in_runs AS (
    SELECT *, count(CASE WHEN start_ns IS DISTINCT FROM last_end_ns THEN 1 END) OVER (ORDER BY start_ns) AS run
    FROM followed
),

longest AS (
    SELECT run FROM in_runs GROUP BY run ORDER BY count(*) DESC, run LIMIT 1
),

numbered AS (
    SELECT start_ns, end_ns, row_number() OVER (ORDER BY step) - 1 AS place, count(*) OVER () AS steps
    FROM in_runs
    WHERE run IN (FROM longest)
),

sized AS (
    SELECT
        n.*,
        least(
            CASE WHEN n.steps <= 20 THEN n.steps ELSE least(n.steps, greatest(3, b.enough * w.steps // b.activities)) END,
            -- a step may have a tenth more activities than the mean
            greatest(1, CAST(0.9 * most_replayed() * w.steps / b.activities AS BIGINT))
        ) AS wanted,
        w.step_ns
    FROM numbered AS n, busiest AS b, "window" AS w
),

usual AS (
    SELECT f.start_ns, l.end_ns, f.wanted AS steps
    FROM sized AS f
    INNER JOIN sized AS l ON l.place = f.place + f.wanted - 1
    ORDER BY
        round(10 * abs((l.end_ns - f.start_ns) / f.wanted / f.step_ns - 1)),
        abs(f.place - (f.steps - f.wanted) // 2),
        f.place
    LIMIT 1
)

SELECT
    coalesce(b.pid, (SELECT min(last_pid) FROM gpu_busy)) AS pid,
    coalesce(u.start_ns, w.start_ns) AS start_ns,
    coalesce(u.end_ns, w.end_ns) AS end_ns,
    coalesce(u.steps, 1) AS steps,
    u.start_ns IS NULL OR EXISTS (FROM window_regimes AS r WHERE r.start_ns = u.start_ns AND r.end_ns = u.end_ns) AS whole
FROM "window" AS w
LEFT JOIN usual AS u ON true
LEFT JOIN busiest AS b ON true;

COMMENT ON TABLE replay_window IS 'the part of the window that is replayed: one row';
COMMENT ON COLUMN replay_window.pid IS 'process';
COMMENT ON COLUMN replay_window.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN replay_window.end_ns IS 'end, ns';
COMMENT ON COLUMN replay_window.steps IS 'number of steps';
COMMENT ON COLUMN replay_window.whole IS 'true where it is a whole regime of the window';
