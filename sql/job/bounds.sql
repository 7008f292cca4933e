-- The window of the job: from the last collective of one step of the first rank to that of a later one, so that it begins and ends on all
-- ranks at the same points. Only collectives that lie in every rank's own window count. Without steps it is all in one.
CREATE TABLE barriers AS
WITH closing AS (
    SELECT s.step, max(m.end_ns) AS ref_end_ns
    FROM matches AS m
    ASOF INNER JOIN steps AS s ON m.end_ns >= s.ref_start_ns
    WHERE m.in_window AND m.end_ns <= s.ref_end_ns
    GROUP BY s.step
),

outermost AS (
    SELECT 0 AS step, min(end_ns) AS ref_end_ns FROM matches WHERE in_window
    UNION
    SELECT 1, max(end_ns) FROM matches WHERE in_window
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
    CROSS JOIN (SELECT DISTINCT rank FROM members) AS r
    ASOF LEFT JOIN (
        SELECT m.rank, m.end_ns, t.end_ns AS ref_end_ns
        FROM members AS m
        INNER JOIN matches AS t ON t.match_id = m.match_id
        WHERE t.in_window
    ) AS m ON m.rank = r.rank AND c.ref_end_ns >= m.ref_end_ns
    GROUP BY c.step, c.ref_end_ns, r.rank
)

SELECT step, ref_end_ns, rank, end_ns
FROM reached
QUALIFY bool_and(end_ns IS NOT NULL) OVER (PARTITION BY step);

CREATE TABLE bounds AS
SELECT
    rank,
    step,
    lag(ref_end_ns) OVER by_step AS ref_from_ns,
    ref_end_ns AS ref_to_ns,
    lag(end_ns) OVER by_step AS from_ns,
    end_ns AS to_ns
FROM barriers
WINDOW by_step AS (PARTITION BY rank ORDER BY step)
QUALIFY lag(end_ns) OVER by_step IS NOT NULL;

-- The ledger of each rank and step in the window of the job.
CREATE VIEW job_ledger AS
SELECT b.rank, b.step, l.cause, CAST(sum(l.ns) AS BIGINT) AS ns
FROM segment_ledger AS l
ASOF INNER JOIN bounds AS b ON b.rank = l.rank AND l.until_ns <= b.to_ns
WHERE l.until_ns > b.from_ns
GROUP BY b.rank, b.step, l.cause;

CREATE VIEW step_lengths AS
SELECT DISTINCT step, ref_to_ns - ref_from_ns AS ns FROM bounds ORDER BY step;

CREATE VIEW rank_totals AS
SELECT rank, cause, CAST(sum(ns) AS BIGINT) AS ns
FROM job_ledger
GROUP BY rank, cause
HAVING sum(ns) > 0
ORDER BY rank, ns DESC, cause;

COMMENT ON VIEW step_lengths IS 'how long each step of the job took';
COMMENT ON COLUMN step_lengths.step IS 'as in steps';
COMMENT ON COLUMN step_lengths.ns IS 'time from the last collective of the step before to its own, ns';
COMMENT ON VIEW rank_totals IS 'the ledger of each rank in the window of the job: compute and all causes add up to it';
COMMENT ON COLUMN rank_totals.rank IS 'number of the rank';
COMMENT ON COLUMN rank_totals.cause IS 'compute, id of a cause, or pipeline_bubble';
COMMENT ON COLUMN rank_totals.ns IS 'time, ns';
COMMENT ON TABLE barriers IS 'the collectives that end each step, on each rank';
COMMENT ON COLUMN barriers.step IS 'as in steps';
COMMENT ON COLUMN barriers.ref_end_ns IS 'end, ns on the clock of the first rank';
COMMENT ON COLUMN barriers.rank IS 'number of the rank';
COMMENT ON COLUMN barriers.end_ns IS 'end of the rank''s own last collective until then, ns on its own clock';
COMMENT ON TABLE bounds IS 'the steps of the job on each rank: the window of the job is all of them';
COMMENT ON COLUMN bounds.rank IS 'number of the rank';
COMMENT ON COLUMN bounds.step IS 'as in steps';
COMMENT ON COLUMN bounds.ref_from_ns IS 'start, ns on the clock of the first rank';
COMMENT ON COLUMN bounds.ref_to_ns IS 'end, ns on the clock of the first rank';
COMMENT ON COLUMN bounds.from_ns IS 'start, ns on the rank''s own clock';
COMMENT ON COLUMN bounds.to_ns IS 'end, ns on the rank''s own clock';
COMMENT ON VIEW job_ledger IS 'per rank and step of the job, compute and all causes add up to the step';
COMMENT ON COLUMN job_ledger.rank IS 'number of the rank';
COMMENT ON COLUMN job_ledger.step IS 'as in steps';
COMMENT ON COLUMN job_ledger.cause IS 'compute, id of a cause, or pipeline_bubble';
COMMENT ON COLUMN job_ledger.ns IS 'time, ns';
