-- One row for each call that makes a stream wait: for an event of another stream, or for a host function. The trace does not
-- say on which stream a host function is.
-- reads: calls, pid_of, export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
CREATE VIEW stream_waits AS
SELECT c.pid, s.streamId AS stream, c.start_ns AS call_ns, c.family
FROM calls AS c
LEFT JOIN (
    SELECT pid_of(globalPid) AS pid, correlationId, min(streamId) AS streamId
    FROM export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
    GROUP BY ALL
) AS s
    ON s.correlationId = c.correlation_id AND s.pid = c.pid
WHERE c.family IN ('stream_wait', 'host_function');

COMMENT ON VIEW stream_waits IS 'calls that make a stream wait for an event or a host function';
COMMENT ON COLUMN stream_waits.pid IS 'process id';
COMMENT ON COLUMN stream_waits.stream IS 'the stream that waits; NULL where the trace does not say';
COMMENT ON COLUMN stream_waits.call_ns IS 'CPU time of the call, ns since the session began';
COMMENT ON COLUMN stream_waits.family IS 'stream_wait or host_function';
