-- One row for each segment in which a thread waits for a transfer of Gloo, which is on its way for half of it, or sends itself.
-- reads: cpu_transfer_tiles, half_covered, intersect_tiles, segments_until_transfers
CREATE TABLE transfer_waits AS
SELECT id AS segment_id
FROM intersect_tiles('segments_until_transfers', 'cpu_transfer_tiles')
GROUP BY id
HAVING half_covered(tile_id, end_ns - start_ns)
UNION
SELECT id
FROM segments_until_transfers
WHERE sends;

COMMENT ON TABLE transfer_waits IS 'waits for transfers of Gloo, and what is sent for them';
