-- One row: the part of the window that is replayed. It is the one whose ledger is most like that of the mean step, in tenths of
-- the step; of several, the nearest to the middle. Without steps it is the window.
-- reads: replay_pieces, replayed_process, step_ledger, window, window_regimes
CREATE TABLE replay_window AS
WITH parts AS (
    SELECT f.piece AS part, f.start_ns, l.end_ns, f.part_pieces, f.steps * f.part_pieces AS steps
    FROM replay_pieces AS f
    INNER JOIN replay_pieces AS l ON l.piece = f.piece + f.part_pieces - 1
),

usual AS (
    SELECT l.cause, sum(l.lost_ns) * any_value(w.step_ns / w.length_ns) AS lost_ns
    FROM step_ledger AS l
    CROSS JOIN "window" AS w
    GROUP BY l.cause
),

pieces_lost AS (
    SELECT p.piece, l.cause, sum(l.lost_ns) AS lost_ns
    FROM replay_pieces AS p
    INNER JOIN step_ledger AS l ON l.step BETWEEN p.first_step AND p.last_step
    GROUP BY p.piece, l.cause
),

compared AS (
    SELECT p.part, u.cause, abs(coalesce(sum(l.lost_ns), 0) - any_value(p.steps * u.lost_ns)) AS unlike_ns
    FROM parts AS p
    CROSS JOIN usual AS u
    LEFT JOIN pieces_lost AS l ON l.cause = u.cause AND l.piece BETWEEN p.part AND p.part + p.part_pieces - 1
    GROUP BY p.part, u.cause
),

unlike AS (
    SELECT part, sum(unlike_ns) AS unlike_ns FROM compared GROUP BY part
),

chosen AS (
    SELECT p.start_ns, p.end_ns, p.steps
    FROM parts AS p
    CROSS JOIN "window" AS w
    LEFT JOIN unlike AS u ON u.part = p.part
    ORDER BY round(10 * u.unlike_ns / (p.steps * w.step_ns)), abs(p.part), p.part
    LIMIT 1
)

SELECT
    p.pid,
    coalesce(c.start_ns, w.start_ns) AS start_ns,
    coalesce(c.end_ns, w.end_ns) AS end_ns,
    coalesce(c.steps, 1) AS steps,
    c.start_ns IS NULL OR EXISTS (FROM window_regimes AS r WHERE r.start_ns = c.start_ns AND r.end_ns = c.end_ns) AS whole
FROM "window" AS w
CROSS JOIN replayed_process AS p
LEFT JOIN chosen AS c ON true;

COMMENT ON TABLE replay_window IS 'the part of the window that is replayed: one row';
COMMENT ON COLUMN replay_window.steps IS 'number of steps';
COMMENT ON COLUMN replay_window.whole IS 'true where it is a whole regime of the window';
