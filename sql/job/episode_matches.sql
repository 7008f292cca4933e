-- The collectives of the window of the job, in episodes. An episode is a part of a step in whose collectives the same rank
-- comes last: a rank that comes late to one collective also comes late to those that are queued behind it, however long it
-- computes in between.
--
-- The late rank and a rank that waits for it both go from the end of one collective to the end of a later one in the same time.
-- So the waiting of the one is, to the nanosecond, what the other spent more on everything else: the difference of their
-- ledgers.
-- reads: job_steps, matches, ranks.precision, waits
CREATE TABLE episode_matches AS
WITH inside AS (
    SELECT t.match_id, t.team, t.last_rank, t.end_ns, s.step, s.part
    FROM matches AS t
    ASOF INNER JOIN (SELECT DISTINCT step, part, ref_start_ns, ref_end_ns FROM job_steps) AS s ON t.end_ns <= s.ref_end_ns
    WHERE t.end_ns > s.ref_start_ns AND NOT t.in_turns AND t.in_window
),

waited AS (
    SELECT match_id, max(waiting_ns) AS waiting_ns FROM waits GROUP BY match_id
),

-- shorter waiting than the clocks can tell says nothing: such a collective has the late rank of the ones around it
certain AS (
    SELECT i.*, CASE WHEN w.waiting_ns >= (SELECT noise_ns FROM ranks.precision) THEN i.last_rank END AS late_rank
    FROM inside AS i
    LEFT JOIN waited AS w ON w.match_id = i.match_id
),

filled AS (
    SELECT
        match_id, team, step, part, end_ns,
        coalesce(
            first_value(late_rank IGNORE NULLS) OVER (in_step ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING),
            last_value(late_rank IGNORE NULLS) OVER (in_step ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
        ) AS late_rank
    FROM certain
    WINDOW in_step AS (PARTITION BY team, step ORDER BY end_ns, match_id)
),

changed AS (
    SELECT
        *,
        (late_rank IS DISTINCT FROM lag(late_rank) OVER in_team) OR (step IS DISTINCT FROM lag(step) OVER in_team) AS begins
    FROM filled
    WINDOW in_team AS (PARTITION BY team, part ORDER BY end_ns, match_id)
)

SELECT
    match_id, team, step, part, late_rank, end_ns,
    sum(CAST(begins AS INTEGER)) OVER (ORDER BY team, end_ns, match_id) AS episode
FROM changed;

COMMENT ON TABLE episode_matches IS 'the collectives of the window of the job, with the rank that was late there';
COMMENT ON COLUMN episode_matches.part IS 'as in job_steps';
COMMENT ON COLUMN episode_matches.late_rank IS 'the rank that was late; NULL where none was in the whole step';
COMMENT ON COLUMN episode_matches.end_ns IS 'end, ns on the clock of the first rank';
COMMENT ON COLUMN episode_matches.episode IS 'number of the episode';
