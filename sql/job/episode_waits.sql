-- The waiting of each rank in the collectives of each episode.
-- reads: episode_matches, waits
CREATE VIEW episode_waits AS
SELECT e.episode, w.rank, CAST(sum(w.waiting_ns) AS BIGINT) AS waiting_ns
FROM waits AS w
INNER JOIN episode_matches AS e ON e.match_id = w.match_id
GROUP BY e.episode, w.rank;

COMMENT ON VIEW episode_waits IS 'waiting of each rank in the collectives of an episode, with nothing computing';
COMMENT ON COLUMN episode_waits.waiting_ns IS 'time waited, ns';
