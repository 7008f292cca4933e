-- The late part of each gap, cut wherever the launching thread's own state changes.
-- reads: intersect_tiles, late_time, state_tiles
CREATE TABLE late_pieces AS
SELECT
    CAST(row_number() OVER () AS INTEGER) AS piece_id,
    CAST(id AS INTEGER) AS gap_id,
    track AS global_tid,
    start_ns,
    end_ns,
    CAST(tile_id AS INTEGER) AS state_id
FROM intersect_tiles('late_time', 'state_tiles');

COMMENT ON TABLE late_pieces IS 'gaps while the CPU is late, cut where the state of the launching thread changes';
COMMENT ON COLUMN late_pieces.piece_id IS 'unique number, in no order';
COMMENT ON COLUMN late_pieces.global_tid IS 'launching thread';
COMMENT ON COLUMN late_pieces.state_id IS 'what the launching thread does, in thread_states; NULL where nothing is known of it';
