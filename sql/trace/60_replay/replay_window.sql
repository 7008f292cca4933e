-- One row: the steps that are replayed, and their process. They follow each other without a break: where the window has several
-- regimes, they are of the one with the most steps. Of up to 20 steps these are all. Of more they are as many in a row as have
-- about 5,000 activities, and at least 3, since a replay takes 1 to 2 us for each activity. Those of a rank have about 20,000,
-- since which rank is late changes from step to step. Of long steps they are as many as a replay may have. They are from the
-- middle, or the part of the window nearest to it whose ledger is as much like that of the mean step, in tenths of the step. The
-- process is the one with the most activities; of ranks that do the same, that of the first GPU.
-- reads: activity_totals, busyness, gpu_busy, most_replayed, step_ledger, window, window_regimes, window_steps
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
    SELECT step, start_ns, end_ns, row_number() OVER (ORDER BY step) - 1 AS place, count(*) OVER () AS steps
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
        ) AS wanted
    FROM numbered AS n, busiest AS b, "window" AS w
),

-- pieces of the window, of which a few make a part that may be replayed
placed AS (
    SELECT
        step, start_ns, end_ns,
        CASE WHEN wanted = steps THEN steps ELSE greatest(1, wanted // 4) END AS piece_steps,
        wanted // piece_steps AS pieces,
        CAST(floor((place - (steps - wanted) // 2) / piece_steps) AS INTEGER) AS piece
    FROM sized
    QUALIFY count(*) OVER (PARTITION BY piece) = piece_steps
),

pieces AS (
    SELECT
        piece, min(start_ns) AS start_ns, max(end_ns) AS end_ns, any_value(pieces) AS pieces,
        any_value(pieces * piece_steps) AS steps
    FROM placed
    GROUP BY piece
),

lost AS (
    SELECT p.piece, l.cause, sum(l.lost_ns) AS lost_ns
    FROM placed AS p
    INNER JOIN step_ledger AS l ON l.step = p.step
    GROUP BY p.piece, l.cause
),

usual AS (
    SELECT l.cause, sum(l.lost_ns) / any_value(w.steps) AS lost_ns
    FROM step_ledger AS l
    CROSS JOIN "window" AS w
    GROUP BY l.cause
),

parts AS (
    SELECT f.piece AS first_piece, l.piece AS last_piece, f.start_ns, l.end_ns, f.steps
    FROM pieces AS f
    INNER JOIN pieces AS l ON l.piece = f.piece + f.pieces - 1
),

unlike AS (
    SELECT p.first_piece, abs(coalesce(sum(l.lost_ns), 0) - any_value(p.steps * u.lost_ns)) AS unlike_ns
    FROM parts AS p
    CROSS JOIN usual AS u
    LEFT JOIN lost AS l ON l.cause = u.cause AND l.piece BETWEEN p.first_piece AND p.last_piece
    GROUP BY p.first_piece, u.cause
),

compared AS (
    SELECT p.first_piece, p.start_ns, p.end_ns, p.steps, sum(u.unlike_ns) / (p.steps * any_value(w.step_ns)) AS unlike
    FROM parts AS p
    CROSS JOIN "window" AS w
    LEFT JOIN unlike AS u ON u.first_piece = p.first_piece
    GROUP BY p.first_piece, p.start_ns, p.end_ns, p.steps
),

chosen AS (
    SELECT start_ns, end_ns, steps
    FROM compared
    ORDER BY round(10 * unlike), abs(first_piece), first_piece
    LIMIT 1
)

SELECT
    coalesce(b.pid, (SELECT min(last_pid) FROM gpu_busy)) AS pid,
    coalesce(c.start_ns, w.start_ns) AS start_ns,
    coalesce(c.end_ns, w.end_ns) AS end_ns,
    coalesce(c.steps, 1) AS steps,
    c.start_ns IS NULL OR EXISTS (FROM window_regimes AS r WHERE r.start_ns = c.start_ns AND r.end_ns = c.end_ns) AS whole
FROM "window" AS w
LEFT JOIN chosen AS c ON true
LEFT JOIN busiest AS b ON true;

COMMENT ON TABLE replay_window IS 'the part of the window that is replayed: one row';
COMMENT ON COLUMN replay_window.pid IS 'process';
COMMENT ON COLUMN replay_window.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN replay_window.end_ns IS 'end, ns';
COMMENT ON COLUMN replay_window.steps IS 'number of steps';
COMMENT ON COLUMN replay_window.whole IS 'true where it is a whole regime of the window';
