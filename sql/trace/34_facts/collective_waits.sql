-- One row for each segment in which a thread waits, and for half of which a collective is on its way on the CPU.
-- reads: collective_tiles, half_covered, intersect_tiles, waiting_segments
CREATE TABLE collective_waits AS
SELECT id AS segment_id
FROM intersect_tiles('waiting_segments', 'collective_tiles')
GROUP BY id
HAVING half_covered(tile_id, end_ns - start_ns);

COMMENT ON TABLE collective_waits IS 'waits for collectives that are carried out on the CPU';
