-- One row for each long segment in which the launching thread waits, and for half of which other threads of its process write
-- files: a checkpoint that a thread writes in the background holds up the next one.
-- reads: covered, file_writes, long_waits
CREATE TABLE writer_waits AS
SELECT id AS segment_id
FROM covered('long_waits', 'file_writes')
WHERE covered_ns >= 0.5 * length_ns;

COMMENT ON TABLE writer_waits IS 'long waits of the launching thread during which other threads write files';
