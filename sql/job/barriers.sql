-- One row for each step and rank: the last collective of the step, as a barrier that all ranks pass together. The window of the
-- job goes from the first barrier to the last, so that it begins and ends at the same point on all ranks. Only collectives that
-- lie in every rank's own window count. Without steps, the window of the job is one piece.
-- reads: matches, ranks.members, ranks.steps
CREATE TABLE barriers AS
WITH closing AS (
    SELECT s.step, max(m.end_ns) AS ref_end_ns
    FROM matches AS m
    ASOF INNER JOIN ranks.steps AS s ON m.end_ns >= s.ref_start_ns
    WHERE m.in_window AND m.end_ns <= s.ref_end_ns
    GROUP BY s.step
),

outermost AS (
    SELECT -1 AS step, min(end_ns) AS ref_end_ns FROM matches WHERE in_window
    UNION
    SELECT 0, max(end_ns) FROM matches WHERE in_window
),

chosen AS (
    SELECT * FROM closing WHERE (SELECT count(*) FROM closing) >= 2
    UNION ALL
    SELECT * FROM outermost WHERE (SELECT count(*) FROM closing) < 2
),

-- on each rank, the end of the last collective that is not later
reached AS (
    SELECT c.step, c.ref_end_ns, r.rank, max(m.end_ns) AS end_ns
    FROM chosen AS c
    CROSS JOIN (SELECT DISTINCT rank FROM ranks.members) AS r
    ASOF LEFT JOIN (
        SELECT m.rank, m.end_ns, t.end_ns AS ref_end_ns
        FROM ranks.members AS m
        INNER JOIN matches AS t ON t.match_id = m.match_id
        WHERE t.in_window
    ) AS m ON m.rank = r.rank AND c.ref_end_ns >= m.ref_end_ns
    GROUP BY c.step, c.ref_end_ns, r.rank
)

SELECT step, ref_end_ns, rank, end_ns
FROM reached
QUALIFY bool_and(end_ns IS NOT NULL) OVER (PARTITION BY step);

COMMENT ON TABLE barriers IS 'the collectives that end each step, on each rank';
COMMENT ON COLUMN barriers.end_ns IS 'end of the rank''s own last collective up to there, ns on its own clock';
