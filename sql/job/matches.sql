-- One row for each collective of the job: which rank came last, and when all had come.
-- reads: ranks.members, turn_teams
CREATE TABLE matches AS
SELECT
    match_id,
    any_value(team) AS team,
    any_value(team IN (SELECT t.team FROM turn_teams AS t)) AS in_turns,
    bool_and(in_window) AS in_window,
    max(ref_start_ns) AS all_arrived_ns,
    arg_max(rank, (ref_start_ns, rank)) AS last_rank,
    max(ref_end_ns) AS end_ns
FROM ranks.members
GROUP BY match_id;

COMMENT ON TABLE matches IS 'collectives of the job; times on the clock of the first rank';
COMMENT ON COLUMN matches.in_turns IS 'true for messages of ranks that wait for each other in turn, as stages of a pipeline';
COMMENT ON COLUMN matches.in_window IS 'true where it ends in the window of each of them';
COMMENT ON COLUMN matches.all_arrived_ns IS 'when the last rank came, ns';
COMMENT ON COLUMN matches.last_rank IS 'the rank that came last';
COMMENT ON COLUMN matches.end_ns IS 'when it ended on the last of them, ns';
