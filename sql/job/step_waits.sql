-- What waiting costs each step: the step would be shorter by this much at most. In each episode the rank that waits longest
-- counts. Teams wait at the same time, so the team that waits most counts.
-- reads: episode_waits, episodes
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

COMMENT ON VIEW step_waits IS 'what waiting for late ranks costs each step';
COMMENT ON COLUMN step_waits.waiting_ns IS 'waiting of the ranks that wait longest, ns';
