-- The exposed time of each communication activity, and how much of it the rank waited.
-- reads: exposed_pieces
CREATE TABLE waits AS
SELECT
    rank,
    activity_id,
    match_id,
    CAST(sum(waits_until_ns - start_ns) AS BIGINT) AS waiting_ns,
    CAST(sum(end_ns - start_ns) AS BIGINT) AS exposed_ns
FROM exposed_pieces
GROUP BY rank, activity_id, match_id;

COMMENT ON TABLE waits IS 'exposed communication: how much of it is waiting for a rank';
COMMENT ON COLUMN waits.activity_id IS 'the communication activity';
COMMENT ON COLUMN waits.match_id IS 'as in members; NULL where it was found on no other rank';
COMMENT ON COLUMN waits.waiting_ns IS 'exposed time before the last rank came, ns';
COMMENT ON COLUMN waits.exposed_ns IS 'all its exposed time, ns';
