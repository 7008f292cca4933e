-- The segments in which a thread waits, in processes that carry collectives out on the CPU.
-- reads: cpu_collectives, segments
CREATE TABLE waiting_segments AS
SELECT segment_id AS id, pid AS track, start_ns, end_ns
FROM segments
WHERE state = 'wait' AND pid IN (SELECT track FROM cpu_collectives);

COMMENT ON TABLE waiting_segments IS 'waits in processes that carry collectives out on the CPU';
COMMENT ON COLUMN waiting_segments.id IS 'segment_id of segments';
