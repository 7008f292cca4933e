-- The waiting of each rank, charged to the late rank, and there to the causes on which that rank spent more time than the one
-- that waited.
-- reads: episode_ledger, episode_waits, episodes
CREATE VIEW charges AS
WITH pairs AS (
    SELECT e.episode, e.step, e.late_rank, e.rank, w.waiting_ns
    FROM episodes AS e
    INNER JOIN episode_waits AS w ON w.episode = e.episode AND w.rank = e.rank
    WHERE e.rank <> e.late_rank AND w.waiting_ns > 0
),

-- the two ledgers, without the waiting in the collectives of the episode: that is what they are to explain
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

SELECT
    p.episode,
    p.step,
    p.late_rank,
    p.rank,
    coalesce(s.cause, 'unexplained') AS cause,
    p.waiting_ns * coalesce(s.share, 1) AS charged_ns
FROM pairs AS p
LEFT JOIN shared AS s ON s.episode = p.episode AND s.rank = p.rank
-- in one order, so that sums of fractions are the same at every run
ORDER BY p.episode, p.rank, s.cause;

COMMENT ON VIEW charges IS 'waiting for late ranks, by what the late ranks did instead';
COMMENT ON COLUMN charges.late_rank IS 'the rank that was late';
COMMENT ON COLUMN charges.rank IS 'the rank that waited for it';
COMMENT ON COLUMN charges.cause IS 'what the late rank spent more time on: compute, or id of a cause';
COMMENT ON COLUMN charges.charged_ns IS 'waiting charged to it, ns; for an episode and rank these add up to the waiting';
