-- One row for each episode and rank: from the rank's last collective before it, or else from the start of its part of the window
-- of the job.
-- reads: job_steps, episode_matches, ranks.members
CREATE TABLE episodes AS
WITH own AS (
    SELECT e.*, m.rank, m.end_ns AS own_end_ns
    FROM episode_matches AS e
    INNER JOIN ranks.members AS m ON m.match_id = e.match_id
),

ends AS (
    SELECT episode, team, step, part, late_rank, rank, min(end_ns) AS first_end_ns, max(own_end_ns) AS end_ns
    FROM own
    WHERE late_rank IS NOT NULL
    GROUP BY episode, team, step, part, late_rank, rank
)

SELECT
    e.episode, e.team, e.step, e.late_rank, e.rank, e.end_ns,
    coalesce(
        before.own_end_ns, (SELECT min(b.start_ns) FROM job_steps AS b WHERE b.rank = e.rank AND b.part = e.part)
    ) AS start_ns
FROM ends AS e
ASOF LEFT JOIN own AS before
    ON before.rank = e.rank AND before.team = e.team AND before.part = e.part AND before.end_ns < e.first_end_ns;

COMMENT ON TABLE episodes IS 'parts of a step in which one rank of a team is late, on each of its ranks';
COMMENT ON COLUMN episodes.episode IS 'number';
COMMENT ON COLUMN episodes.late_rank IS 'the rank that is late';
COMMENT ON COLUMN episodes.rank IS 'number of the rank whose times these are';
COMMENT ON COLUMN episodes.start_ns IS 'start, ns on the rank''s own clock';
COMMENT ON COLUMN episodes.end_ns IS 'end, ns on the rank''s own clock';
