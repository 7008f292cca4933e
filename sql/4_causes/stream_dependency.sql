-- The op was launched in time, and its stream was told to wait for another stream's event, or for a host function, since the
-- op before it on that stream was submitted.
CREATE VIEW stream_waits AS
SELECT
    c.pid,
    s.streamId AS stream,
    c.start_ns AS call_ns,
    c.family
FROM calls AS c
LEFT JOIN export.CUPTI_ACTIVITY_KIND_SYNCHRONIZATION AS s
    ON s.correlationId = c.correlation_id AND pid_of(s.globalPid) = c.pid
WHERE c.family IN ('stream_wait', 'host_function');

CREATE VIEW claims_stream_dependency AS
WITH queued AS (
    SELECT s.slice_id, s.state, o.pid, o.stream, o.launch_start_ns
    FROM slices AS s
    INNER JOIN ops AS o ON o.op_id = s.gap_id
    WHERE s.state IN ('queued', 'stalled') AND EXISTS (FROM stream_waits)
)

SELECT q.slice_id, 65 AS precedence, 'inferred' AS basis
FROM queued AS q
ASOF INNER JOIN (SELECT * FROM stream_waits WHERE stream IS NOT NULL) AS w
    ON w.pid = q.pid AND w.stream = q.stream AND q.launch_start_ns > w.call_ns
ASOF LEFT JOIN (SELECT pid, stream, launch_start_ns FROM ops WHERE launch_start_ns IS NOT NULL) AS p
    ON p.pid = q.pid AND p.stream = q.stream AND q.launch_start_ns > p.launch_start_ns
WHERE w.call_ns > coalesce(p.launch_start_ns, 0)
UNION ALL
-- a host function's stream is not in the trace: what stalls after one waits for it
SELECT q.slice_id, 66, 'inferred'
FROM queued AS q
ASOF INNER JOIN (SELECT * FROM stream_waits WHERE stream IS NULL) AS w ON w.pid = q.pid AND q.launch_start_ns > w.call_ns
WHERE q.state = 'stalled';

CREATE VIEW fix_stream_dependency AS
SELECT 'Streams wait for each other although work is queued: record the event earlier (right after the op that is needed), wait later '
    || '(right before its use), or put ops that depend on each other on one stream.' AS fix;

COMMENT ON VIEW stream_waits IS 'calls that make a stream wait for an event or a host function';
COMMENT ON COLUMN stream_waits.pid IS 'process id';
COMMENT ON COLUMN stream_waits.stream IS 'the stream that waits; NULL where the trace does not say';
COMMENT ON COLUMN stream_waits.call_ns IS 'CPU time of the call, ns since the session began';
COMMENT ON COLUMN stream_waits.family IS 'stream_wait or host_function';
COMMENT ON VIEW claims_stream_dependency IS 'queued work waited for another stream or a host function';
COMMENT ON COLUMN claims_stream_dependency.slice_id IS 'as in slices';
COMMENT ON COLUMN claims_stream_dependency.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN claims_stream_dependency.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW fix_stream_dependency IS 'Record events earlier, wait later, keep dependent ops on one stream.';
COMMENT ON COLUMN fix_stream_dependency.fix IS 'what to change, for what was seen';
