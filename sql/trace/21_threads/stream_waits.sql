-- One row for each call that makes a stream wait: for an event of another stream, or for a host function. The trace does not
-- say on which stream a host function is.
-- reads: call_streams, calls
CREATE VIEW stream_waits AS
SELECT c.pid, s.stream, c.start_ns AS call_ns
FROM calls AS c
LEFT JOIN call_streams AS s ON s.pid = c.pid AND s.correlation_id = c.correlation_id
WHERE c.family IN ('stream_wait', 'host_function');

COMMENT ON VIEW stream_waits IS 'calls that make a stream wait for an event or a host function';
COMMENT ON COLUMN stream_waits.stream IS 'the stream that waits; NULL where the trace does not say';
COMMENT ON COLUMN stream_waits.call_ns IS 'CPU time of the call, ns since the session began';
