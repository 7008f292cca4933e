-- The waits of launching threads in which the thread that they are taken to wait for waits too, as pieces on their process.
-- reads: followed_waits, pid_of
CREATE TABLE waits_left AS
SELECT piece_id AS id, pid_of(global_tid) AS track, start_ns, end_ns
FROM followed_waits
WHERE state_id IS NULL;

COMMENT ON TABLE waits_left IS 'waits of launching threads in which the thread that they wait for waits too';
COMMENT ON COLUMN waits_left.id IS 'piece_id of late_pieces';
COMMENT ON COLUMN waits_left.track IS 'process';
