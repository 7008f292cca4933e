-- Python samples on the track of their thread.
-- reads: python_samples
CREATE VIEW sample_times AS
SELECT sample_id AS id, global_tid AS track, at_ns
FROM python_samples;

COMMENT ON VIEW sample_times IS 'python_samples as times on their thread';
COMMENT ON COLUMN sample_times.id IS 'sample_id of python_samples';
COMMENT ON COLUMN sample_times.track IS 'the thread, global_tid';
COMMENT ON COLUMN sample_times.at_ns IS 'time, ns since the session began';
