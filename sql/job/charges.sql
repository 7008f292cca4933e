-- The waiting of each rank, charged to the late one and there to what it spent more time on than the one that waited.
CREATE VIEW charges AS
WITH pairs AS (
    SELECT e.episode, e.step, e.late_rank, e.rank, w.waiting_ns
    FROM episodes AS e
    INNER JOIN episode_waits AS w ON w.episode = e.episode AND w.rank = e.rank
    WHERE e.rank <> e.late_rank AND w.waiting_ns > 0
),

-- the two ledgers; the waiting in the episode's own collectives is what is to be explained, and on neither side
sides AS (
    SELECT p.episode, p.rank, l.cause, l.ns FROM pairs AS p
    INNER JOIN episode_ledger AS l ON l.episode = p.episode AND l.rank = p.late_rank
    UNION ALL
    SELECT p.episode, p.rank, l.cause, -l.ns FROM pairs AS p
    INNER JOIN episode_ledger AS l ON l.episode = p.episode AND l.rank = p.rank
    UNION ALL
    SELECT episode, rank, 'rank_imbalance', waiting_ns FROM pairs
    UNION ALL
    SELECT p.episode, p.rank, 'rank_imbalance', -w.waiting_ns FROM pairs AS p
    INNER JOIN episode_waits AS w ON w.episode = p.episode AND w.rank = p.late_rank
),

excesses AS (
    SELECT episode, rank, cause, sum(ns) AS excess_ns FROM sides GROUP BY episode, rank, cause HAVING sum(ns) > 0
),

shared AS (
    SELECT *, excess_ns / sum(excess_ns) OVER (PARTITION BY episode, rank) AS share FROM excesses
)

SELECT p.episode, p.step, p.late_rank, p.rank, coalesce(s.cause, 'unexplained') AS cause, p.waiting_ns * coalesce(s.share, 1) AS charged_ns
FROM pairs AS p
LEFT JOIN shared AS s ON s.episode = p.episode AND s.rank = p.rank
-- sums of fractions come out the same at every run only in one order
ORDER BY p.episode, p.rank, s.cause;

-- What waiting costs each step: in each episode what the rank that waits longest waits, as much shorter the step would be at the
-- most. Teams wait at the same time, so the one counts that waits most.
CREATE VIEW step_waits AS
SELECT step, max(waiting_ns) AS waiting_ns
FROM (
    SELECT step, team, CAST(sum(longest_ns) AS BIGINT) AS waiting_ns
    FROM (
        SELECT e.step, e.team, e.episode, max(w.waiting_ns) AS longest_ns
        FROM episodes AS e
        INNER JOIN episode_waits AS w ON w.episode = e.episode AND w.rank = e.rank
        GROUP BY e.step, e.team, e.episode
    )
    GROUP BY step, team
)
GROUP BY step;

-- What a late rank spent more than the rank that waited longest for it: the part of its own ledger that nobody else has.
CREATE VIEW late_excesses AS
SELECT late_rank, cause, CAST(sum(charged_ns) AS BIGINT) AS excess_ns
FROM (SELECT episode, late_rank, cause, max(charged_ns) AS charged_ns FROM charges GROUP BY episode, late_rank, cause)
GROUP BY late_rank, cause;

COMMENT ON VIEW late_excesses IS 'what late ranks spent more time on than the others';
COMMENT ON COLUMN late_excesses.late_rank IS 'the rank that was late';
COMMENT ON COLUMN late_excesses.cause IS 'as in charges';
COMMENT ON COLUMN late_excesses.excess_ns IS 'waiting of the rank that waited longest, charged to it, ns';
COMMENT ON VIEW charges IS 'waiting for late ranks, by what these did instead';
COMMENT ON COLUMN charges.episode IS 'as in episodes';
COMMENT ON COLUMN charges.step IS 'as in steps';
COMMENT ON COLUMN charges.late_rank IS 'the rank that was late';
COMMENT ON COLUMN charges.rank IS 'the rank that waited for it';
COMMENT ON COLUMN charges.cause IS 'what the late rank spent more time on: compute, id of a cause, or pipeline_bubble';
COMMENT ON COLUMN charges.charged_ns IS 'waiting charged to it, ns; over an episode and rank, they add up to the waiting';
COMMENT ON VIEW step_waits IS 'what waiting for late ranks costs each step';
COMMENT ON COLUMN step_waits.step IS 'as in steps';
COMMENT ON COLUMN step_waits.waiting_ns IS 'waiting of the ranks that wait longest, ns';
