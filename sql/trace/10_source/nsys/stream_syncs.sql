-- One row for each call that returns when a stream, or all streams of a device, have run what was submitted before the call.
-- reads: call_families, calls, pid_of, export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
CREATE VIEW stream_syncs AS
SELECT
    c.pid,
    CASE WHEN f.name LIKE '%StreamSynchronize' THEN s.streamId END AS stream,
    c.start_ns,
    c.end_ns
FROM calls AS c
INNER JOIN call_families AS f ON f.string_id = c.name_id
LEFT JOIN (
    SELECT pid_of(globalPid) AS pid, correlationId, min(streamId) AS streamId
    FROM export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
    GROUP BY ALL
) AS s
    ON s.correlationId = c.correlation_id AND s.pid = c.pid
WHERE
    regexp_matches(f.name, '^cu(da)?(Device|Ctx|Stream)Synchronize$')
    AND (f.name NOT LIKE '%StreamSynchronize' OR s.streamId < 4294967295);

COMMENT ON VIEW stream_syncs IS 'calls that return when what was submitted before them has run';
COMMENT ON COLUMN stream_syncs.pid IS 'process id';
COMMENT ON COLUMN stream_syncs.stream IS 'the stream that is waited for; NULL for all streams of a device';
COMMENT ON COLUMN stream_syncs.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN stream_syncs.end_ns IS 'CPU end, ns';
