-- Who was late, and what did it do instead? Both the rank that waits and the late one go from the end of one collective to the
-- end of a later one in the same time. So what the one waited is, to the nanosecond, what the other spent more on everything
-- else: the difference of their ledgers. An episode is a stretch of a step in whose collectives the same rank comes last;
-- a rank that came late to the first is late to those queued behind it too, however long it then computes.
CREATE TABLE episode_matches AS
WITH inside AS (
    SELECT t.match_id, t.team, t.last_rank, t.end_ns, s.step
    FROM matches AS t
    ASOF INNER JOIN (SELECT DISTINCT step, ref_from_ns, ref_to_ns FROM bounds) AS s ON t.end_ns <= s.ref_to_ns
    WHERE t.end_ns > s.ref_from_ns AND NOT t.point_to_point AND t.in_window
),

waited AS (
    SELECT match_id, max(waiting_ns) AS waiting_ns
    FROM (SELECT match_id, rank, sum(waiting_ns) AS waiting_ns FROM waits GROUP BY match_id, rank)
    GROUP BY match_id
),

-- waiting that the clocks cannot tell from none says nothing: such a collective goes with the ones around it
told AS (
    SELECT i.*, CASE WHEN w.waiting_ns >= (SELECT noise_ns FROM precision) THEN i.last_rank END AS late_rank
    FROM inside AS i
    LEFT JOIN waited AS w ON w.match_id = i.match_id
),

filled AS (
    SELECT
        match_id, team, step, end_ns,
        coalesce(
            first_value(late_rank IGNORE NULLS) OVER (PARTITION BY team, step ORDER BY end_ns, match_id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING),
            last_value(late_rank IGNORE NULLS) OVER (PARTITION BY team, step ORDER BY end_ns, match_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
        ) AS late_rank
    FROM told
),

changed AS (
    SELECT
        *,
        (late_rank IS DISTINCT FROM lag(late_rank) OVER in_team) OR (step IS DISTINCT FROM lag(step) OVER in_team) AS begins,
        lag(match_id) OVER in_team AS after_match_id
    FROM filled
    WINDOW in_team AS (PARTITION BY team ORDER BY end_ns, match_id)
)

SELECT
    match_id, team, step, late_rank, end_ns, begins, after_match_id,
    sum(CAST(begins AS INTEGER)) OVER (ORDER BY team, end_ns, match_id) AS episode
FROM changed;

-- An episode on each of its ranks. Before the first collective of a team it begins with the window of the job.
CREATE TABLE episodes AS
SELECT
    e.episode,
    any_value(e.team) AS team,
    any_value(e.step) AS step,
    any_value(e.late_rank) AS late_rank,
    m.rank,
    coalesce(
        min(a.end_ns) FILTER (WHERE e.begins),
        (SELECT min(b.from_ns) FROM bounds AS b WHERE b.rank = m.rank)
    ) AS from_ns,
    max(m.end_ns) AS to_ns
FROM episode_matches AS e
INNER JOIN members AS m ON m.match_id = e.match_id
LEFT JOIN members AS a ON a.match_id = e.after_match_id AND a.rank = m.rank
GROUP BY e.episode, m.rank
HAVING any_value(e.late_rank) IS NOT NULL;

-- the waiting of each rank in the collectives of an episode
CREATE VIEW episode_waits AS
SELECT e.episode, w.rank, CAST(sum(w.waiting_ns) AS BIGINT) AS waiting_ns
FROM waits AS w
INNER JOIN episode_matches AS e ON e.match_id = w.match_id
GROUP BY e.episode, w.rank;

CREATE TABLE episode_ledger AS
SELECT e.episode, l.rank, l.cause, CAST(sum(l.ns) AS BIGINT) AS ns
FROM (SELECT DISTINCT rank, team FROM episodes) AS t
INNER JOIN segment_ledger AS l ON l.rank = t.rank
ASOF INNER JOIN episodes AS e ON e.rank = t.rank AND e.team = t.team AND l.until_ns <= e.to_ns
WHERE l.until_ns > e.from_ns
GROUP BY e.episode, l.rank, l.cause;

COMMENT ON TABLE episode_matches IS 'the collectives of the window of the job, with the rank that was late there';
COMMENT ON COLUMN episode_matches.match_id IS 'as in members';
COMMENT ON COLUMN episode_matches.team IS 'as in members';
COMMENT ON COLUMN episode_matches.step IS 'as in steps';
COMMENT ON COLUMN episode_matches.late_rank IS 'the rank that was late; NULL where none was in the whole step';
COMMENT ON COLUMN episode_matches.end_ns IS 'end, ns on the clock of the first rank';
COMMENT ON COLUMN episode_matches.begins IS 'true for the first of an episode';
COMMENT ON COLUMN episode_matches.after_match_id IS 'the collective of the team before it';
COMMENT ON COLUMN episode_matches.episode IS 'number of the episode';
COMMENT ON TABLE episodes IS 'stretches of a step in which one rank of a team is late, on each of its ranks';
COMMENT ON COLUMN episodes.episode IS 'number';
COMMENT ON COLUMN episodes.team IS 'as in members';
COMMENT ON COLUMN episodes.step IS 'as in steps';
COMMENT ON COLUMN episodes.late_rank IS 'the rank that is late';
COMMENT ON COLUMN episodes.rank IS 'number of the rank whose times these are';
COMMENT ON COLUMN episodes.from_ns IS 'start, ns on the rank''s own clock';
COMMENT ON COLUMN episodes.to_ns IS 'end, ns on the rank''s own clock';
COMMENT ON VIEW episode_waits IS 'waiting of each rank in the collectives of an episode, with nothing computing';
COMMENT ON COLUMN episode_waits.episode IS 'as in episodes';
COMMENT ON COLUMN episode_waits.rank IS 'number of the rank';
COMMENT ON COLUMN episode_waits.waiting_ns IS 'time waited, ns';
COMMENT ON TABLE episode_ledger IS 'the ledger of each rank over each of its episodes';
COMMENT ON COLUMN episode_ledger.episode IS 'as in episodes';
COMMENT ON COLUMN episode_ledger.rank IS 'number of the rank';
COMMENT ON COLUMN episode_ledger.cause IS 'compute, id of a cause, or pipeline_bubble';
COMMENT ON COLUMN episode_ledger.ns IS 'time, ns';
