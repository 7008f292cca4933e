-- The waits of launching threads, followed to the thread that they are taken to wait for: pieces of late_waits, cut where the
-- state of that thread changes.
-- reads: awaited_tiles, intersect_tiles, late_waits, thread_states
CREATE TABLE followed_waits AS
SELECT w.id AS piece_id, w.track AS global_tid, w.start_ns, w.end_ns, s.state_id
FROM intersect_tiles('late_waits', 'awaited_tiles') AS w
LEFT JOIN thread_states AS s ON s.state_id = w.tile_id AND s.state NOT IN ('wait', 'not_begun');

COMMENT ON TABLE followed_waits IS 'waits of launching threads, cut where the state of the thread that they wait for changes';
COMMENT ON COLUMN followed_waits.piece_id IS 'as in late_pieces';
COMMENT ON COLUMN followed_waits.global_tid IS 'the thread that waits, in threads';
COMMENT ON COLUMN followed_waits.state_id IS 'what the other thread does, in thread_states; NULL where it waits too';
