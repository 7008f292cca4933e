-- One row for each piece of exposed communication, cut where the last rank came: until then the rank waited, and from then on it
-- moved data. An activity that was found on no other rank counts as moving data, since nothing tells how long it waited.
-- reads: matches, ranks.losses, ranks.members
CREATE TABLE exposed_pieces AS
WITH arrived AS (
    SELECT
        m.match_id,
        m.rank,
        m.activity_id,
        t.in_turns,
        -- on the rank's own clock
        least(m.end_ns, m.start_ns + t.all_arrived_ns - m.ref_start_ns) AS all_arrived_ns
    FROM ranks.members AS m
    INNER JOIN matches AS t ON t.match_id = m.match_id
)

SELECT
    e.rank,
    e.until_ns,
    e.activity_id,
    a.match_id,
    coalesce(a.in_turns, false) AS in_turns,
    e.start_ns,
    greatest(e.start_ns, least(e.end_ns, coalesce(a.all_arrived_ns, e.start_ns))) AS waits_until_ns,
    e.end_ns
FROM (SELECT * FROM ranks.losses WHERE activity_id IS NOT NULL) AS e
LEFT JOIN arrived AS a ON a.rank = e.rank AND a.activity_id = e.activity_id;

COMMENT ON TABLE exposed_pieces IS 'exposed communication of each rank, and until when it waits for another rank';
COMMENT ON COLUMN exposed_pieces.until_ns IS 'the stretch, as in ranks.stretches';
COMMENT ON COLUMN exposed_pieces.activity_id IS 'the communication activity';
COMMENT ON COLUMN exposed_pieces.match_id IS 'as in members; NULL where it was found on no other rank';
COMMENT ON COLUMN exposed_pieces.in_turns IS 'as in matches';
COMMENT ON COLUMN exposed_pieces.start_ns IS 'start, ns on the rank''s own clock';
COMMENT ON COLUMN exposed_pieces.waits_until_ns IS 'when the last rank came; start_ns where it did not wait, ns';
