-- Pieces in which the launching thread waits for somebody, or does not exist yet.
-- reads: late_pieces, thread_states
CREATE TABLE late_waits AS
SELECT p.piece_id AS id, p.global_tid AS track, p.start_ns, p.end_ns
FROM late_pieces AS p
INNER JOIN thread_states AS s ON s.state_id = p.state_id
WHERE s.state IN ('wait', 'not_begun');

COMMENT ON TABLE late_waits IS 'pieces of late_pieces in which the launching thread waits, or does not exist yet';
COMMENT ON COLUMN late_waits.id IS 'piece_id of late_pieces';
COMMENT ON COLUMN late_waits.track IS 'launching thread, global_tid';
