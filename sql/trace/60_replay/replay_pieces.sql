-- One row for each piece of the window: steps in a row, several of which make a part that may be replayed (see replay_window).
-- The steps of all pieces follow each other without a break: where the window has several regimes, they are of the one with the
-- most steps. Of up to 20 steps, a part is all of them, and is one piece. Of more it has about 5,000 activities and at least 3
-- steps, since a replay takes 1 to 2 us for each activity. Of ranks it has about 20,000, since which rank is late changes from
-- step to step. Of long steps it has as many as a replay may have. The piece 0 begins where the part in the middle does.
-- reads: activity_totals, most_replayed, replayed_process, window, window_steps
CREATE TABLE replay_pieces AS
WITH followed AS (
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

enough AS (
    SELECT CASE WHEN EXISTS (SELECT 1 FROM activity_totals WHERE kind = 'communication') THEN 20000 ELSE 5000 END AS activities
),

sized AS (
    SELECT
        n.*,
        greatest(3, e.activities * w.steps // p.activities) AS enough_steps,
        CASE WHEN n.steps <= 20 THEN n.steps ELSE least(n.steps, enough_steps) END AS useful,
        -- a step may have a tenth more activities than the mean
        greatest(1, CAST(0.9 * most_replayed() * w.steps / p.activities AS BIGINT)) AS possible,
        least(useful, possible) AS part_steps
    FROM numbered AS n, enough AS e, replayed_process AS p, "window" AS w
    WHERE p.activities > 0
),

placed AS (
    SELECT
        *,
        CASE WHEN part_steps = steps THEN steps ELSE greatest(1, part_steps // 4) END AS piece_steps,
        part_steps // piece_steps AS part_pieces,
        CAST(floor((place - (steps - part_steps) // 2) / piece_steps) AS INTEGER) AS piece
    FROM sized
    QUALIFY count(*) OVER (PARTITION BY piece) = piece_steps
)

SELECT
    piece,
    min(step) AS first_step,
    max(step) AS last_step,
    min(start_ns) AS start_ns,
    max(end_ns) AS end_ns,
    any_value(piece_steps) AS steps,
    any_value(part_pieces) AS part_pieces
FROM placed
GROUP BY piece;

COMMENT ON TABLE replay_pieces IS 'steps in a row, several of which make a part of the window that may be replayed';
COMMENT ON COLUMN replay_pieces.piece IS 'number in the order of time; 0 begins where the part in the middle does';
COMMENT ON COLUMN replay_pieces.first_step IS 'its first step';
COMMENT ON COLUMN replay_pieces.last_step IS 'its last step';
COMMENT ON COLUMN replay_pieces.steps IS 'number of its steps';
COMMENT ON COLUMN replay_pieces.part_pieces IS 'number of pieces of a part';
