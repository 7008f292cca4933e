-- The ledger of each rank over each episode: compute and lost time of its stretches, added up.
-- reads: episodes, stretch_ledger
CREATE TABLE episode_ledger AS
SELECT e.episode, l.rank, l.cause, CAST(sum(l.ns) AS BIGINT) AS ns
FROM (SELECT DISTINCT rank, team FROM episodes) AS t
INNER JOIN stretch_ledger AS l ON l.rank = t.rank
ASOF INNER JOIN episodes AS e ON e.rank = t.rank AND e.team = t.team AND l.until_ns <= e.end_ns
WHERE l.until_ns > e.start_ns
GROUP BY e.episode, l.rank, l.cause;

COMMENT ON TABLE episode_ledger IS 'the ledger of each rank over each of its episodes';
COMMENT ON COLUMN episode_ledger.cause IS 'compute, or id of a cause';
COMMENT ON COLUMN episode_ledger.ns IS 'time, ns';
