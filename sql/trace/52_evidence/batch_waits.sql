-- Segments in which a launching thread waits for a batch, on the track of its process. Those of several GPUs may overlap.
-- reads: window_segments
CREATE VIEW batch_waits AS
SELECT segment_id AS id, pid AS track, start_ns, end_ns
FROM window_segments
WHERE cause = 'input_pipeline' AND state = 'wait';

COMMENT ON VIEW batch_waits IS 'waits for batches';
COMMENT ON COLUMN batch_waits.id IS 'segment_id of segments';
COMMENT ON COLUMN batch_waits.track IS 'process';
