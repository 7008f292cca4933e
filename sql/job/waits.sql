-- The exposed time of each communication activity in each stretch, split where the last rank came: until then it waited, and
-- from then on it moved data. An activity that was found on no other rank counts as moving data, since nothing tells how long
-- it waited.
-- reads: matches, ranks.losses, ranks.members
CREATE TABLE waits AS
WITH arrived AS (
    SELECT
        m.match_id,
        m.rank,
        m.activity_id,
        m.point_to_point,
        -- on the rank's own clock
        least(m.end_ns, greatest(m.start_ns, m.start_ns + t.all_arrived_ns - m.ref_start_ns)) AS all_arrived_ns
    FROM ranks.members AS m
    INNER JOIN matches AS t ON t.match_id = m.match_id
)

SELECT
    e.rank,
    e.until_ns,
    e.activity_id,
    a.match_id,
    coalesce(a.point_to_point, false) AS point_to_point,
    CAST(sum(greatest(0, least(e.end_ns, coalesce(a.all_arrived_ns, e.start_ns)) - e.start_ns)) AS BIGINT) AS waiting_ns,
    CAST(sum(e.end_ns - e.start_ns) AS BIGINT) AS exposed_ns
FROM (SELECT * FROM ranks.losses WHERE activity_id IS NOT NULL) AS e
LEFT JOIN arrived AS a ON a.rank = e.rank AND a.activity_id = e.activity_id
GROUP BY e.rank, e.until_ns, e.activity_id, a.match_id, a.point_to_point;

COMMENT ON TABLE waits IS 'exposed communication of each stretch: how much of it is waiting for a rank';
COMMENT ON COLUMN waits.rank IS 'number of the rank';
COMMENT ON COLUMN waits.until_ns IS 'the stretch, as in ranks.stretches';
COMMENT ON COLUMN waits.activity_id IS 'the communication activity';
COMMENT ON COLUMN waits.match_id IS 'as in members; NULL where it was found on no other rank';
COMMENT ON COLUMN waits.point_to_point IS 'as in members';
COMMENT ON COLUMN waits.waiting_ns IS 'exposed time before the last rank came, ns';
COMMENT ON COLUMN waits.exposed_ns IS 'all its exposed time, ns';
