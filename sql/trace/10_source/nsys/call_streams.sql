-- One row for each call of which the trace says with which stream it synchronizes.
-- reads: pid_of, export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
CREATE VIEW call_streams AS
SELECT pid_of(globalPid) AS pid, correlationId AS correlation_id, min(streamId) AS stream
FROM export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
GROUP BY ALL;

COMMENT ON VIEW call_streams IS 'the stream of each call that synchronizes';
COMMENT ON COLUMN call_streams.correlation_id IS 'of the call';
COMMENT ON COLUMN call_streams.stream IS 'CUDA stream; 4294967295 for all streams of a device';
