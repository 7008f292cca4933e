-- The long segments in which a thread waits.
-- reads: long_wait_ns, segments
CREATE TABLE long_waits AS
SELECT segment_id AS id, pid AS track, start_ns, end_ns
FROM segments
WHERE state = 'wait' AND end_ns - start_ns >= long_wait_ns();

COMMENT ON TABLE long_waits IS 'long segments in which the launching thread waits';
COMMENT ON COLUMN long_waits.id IS 'segment_id of segments';
COMMENT ON COLUMN long_waits.track IS 'process id';
