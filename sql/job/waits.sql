-- The exposed time of each communication activity in each stretch, and how much of it the rank waited.
-- reads: exposed_pieces
CREATE TABLE waits AS
SELECT
    rank,
    until_ns,
    activity_id,
    match_id,
    point_to_point,
    CAST(sum(waits_until_ns - start_ns) AS BIGINT) AS waiting_ns,
    CAST(sum(end_ns - start_ns) AS BIGINT) AS exposed_ns
FROM exposed_pieces
GROUP BY rank, until_ns, activity_id, match_id, point_to_point;

COMMENT ON TABLE waits IS 'exposed communication of each stretch: how much of it is waiting for a rank';
COMMENT ON COLUMN waits.rank IS 'number of the rank';
COMMENT ON COLUMN waits.until_ns IS 'the stretch, as in ranks.stretches';
COMMENT ON COLUMN waits.activity_id IS 'the communication activity';
COMMENT ON COLUMN waits.match_id IS 'as in members; NULL where it was found on no other rank';
COMMENT ON COLUMN waits.point_to_point IS 'as in members';
COMMENT ON COLUMN waits.waiting_ns IS 'exposed time before the last rank came, ns';
COMMENT ON COLUMN waits.exposed_ns IS 'all its exposed time, ns';
