-- One row for each episode and rank. The first episode of a team begins with its part of the window of the job.
-- reads: bounds, episode_matches, ranks.members
CREATE TABLE episodes AS
SELECT
    e.episode,
    any_value(e.team) AS team,
    any_value(e.step) AS step,
    any_value(e.late_rank) AS late_rank,
    m.rank,
    coalesce(
        min(a.end_ns) FILTER (WHERE e.begins),
        (SELECT min(b.from_ns) FROM bounds AS b WHERE b.rank = m.rank AND b.part = any_value(e.part))
    ) AS from_ns,
    max(m.end_ns) AS to_ns
FROM episode_matches AS e
INNER JOIN ranks.members AS m ON m.match_id = e.match_id
LEFT JOIN ranks.members AS a ON a.match_id = e.after_match_id AND a.rank = m.rank
GROUP BY e.episode, m.rank
HAVING any_value(e.late_rank) IS NOT NULL;

COMMENT ON TABLE episodes IS 'parts of a step in which one rank of a team is late, on each of its ranks';
COMMENT ON COLUMN episodes.episode IS 'number';
COMMENT ON COLUMN episodes.late_rank IS 'the rank that is late';
COMMENT ON COLUMN episodes.rank IS 'number of the rank whose times these are';
COMMENT ON COLUMN episodes.from_ns IS 'start, ns on the rank''s own clock';
COMMENT ON COLUMN episodes.to_ns IS 'end, ns on the rank''s own clock';
