-- One row for each team whose ranks wait for each other's messages in turn, as stages of a pipeline do. Where only one of them
-- waits, as a learner for its actor, the other is late: see stage_pairs, which also says where the 2 % are from.
-- reads: ranks.members
CREATE TABLE turn_teams AS
WITH arrived AS (
    SELECT team, rank, ref_start_ns, max(ref_start_ns) OVER (PARTITION BY match_id) AS all_arrived_ns
    FROM ranks.members
    WHERE kind = 'SendRecv'
),

waited AS (
    SELECT team, rank, sum(all_arrived_ns - ref_start_ns) AS waiting_ns
    FROM arrived
    GROUP BY team, rank
),

longest AS (
    SELECT team, max(waiting_ns, 2) AS two_ns
    FROM waited
    GROUP BY team
)

SELECT team
FROM longest
WHERE two_ns[2] >= 0.02 * two_ns[1];

COMMENT ON TABLE turn_teams IS 'teams whose ranks wait for each other''s messages in turn, as stages of a pipeline';
