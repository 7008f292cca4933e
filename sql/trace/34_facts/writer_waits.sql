-- One row for each long segment in which the launching thread waits, and for half of which other threads of its process write
-- files: a checkpoint that a thread writes in the background holds up the next one.
-- reads: file_write_tiles, half_covered, intersect_tiles, long_waits
CREATE TABLE writer_waits AS
SELECT id AS segment_id
FROM intersect_tiles('long_waits', 'file_write_tiles')
GROUP BY id
HAVING half_covered(tile_id, end_ns - start_ns);

COMMENT ON TABLE writer_waits IS 'long waits of the launching thread during which other threads write files';
