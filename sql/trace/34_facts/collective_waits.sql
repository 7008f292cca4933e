-- One row for each segment in which a thread waits, and for half of which a collective is on its way on the CPU.
-- reads: covered, cpu_collectives, waiting_segments
CREATE TABLE collective_waits AS
SELECT id AS segment_id
FROM covered('waiting_segments', 'cpu_collectives')
WHERE covered_ns >= 0.5 * length_ns;

COMMENT ON TABLE collective_waits IS 'waits for collectives that are carried out on the CPU';
