-- The spans of Python samples as tiles of their thread.
-- reads: sample_spans
CREATE VIEW sample_tiles AS
SELECT sample_id AS id, global_tid AS track, start_ns, end_ns
FROM sample_spans;

COMMENT ON VIEW sample_tiles IS 'sample_spans as tiles of their thread';
COMMENT ON COLUMN sample_tiles.id IS 'sample_id of python_samples';
COMMENT ON COLUMN sample_tiles.track IS 'the thread, global_tid';
COMMENT ON COLUMN sample_tiles.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN sample_tiles.end_ns IS 'end, ns';
