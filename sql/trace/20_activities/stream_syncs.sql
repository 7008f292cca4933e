-- One row for each call that returns when a stream, or all streams of a device, have run what was submitted before the call.
-- reads: call_families, call_streams, calls
CREATE TABLE stream_syncs AS
SELECT
    c.pid,
    CASE WHEN f.name LIKE '%StreamSynchronize' THEN s.stream END AS stream,
    c.start_ns,
    c.end_ns
FROM calls AS c
INNER JOIN call_families AS f ON f.string_id = c.name_id
LEFT JOIN call_streams AS s ON s.pid = c.pid AND s.correlation_id = c.correlation_id
WHERE
    regexp_matches(f.name, '^cu(da)?(Device|Ctx|Stream)Synchronize$')
    AND (f.name NOT LIKE '%StreamSynchronize' OR s.stream < 4294967295);

COMMENT ON TABLE stream_syncs IS 'calls that return when what was submitted before them has run';
COMMENT ON COLUMN stream_syncs.stream IS 'the stream that is waited for; NULL for all streams of a device';
COMMENT ON COLUMN stream_syncs.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN stream_syncs.end_ns IS 'CPU end, ns';
