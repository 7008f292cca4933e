-- One row for each correlation id of a process: the call that launched its activities. A damaged trace may give one id to
-- several calls; they are one row here, so that no activity is counted twice.
-- reads: calls
CREATE VIEW launches AS
SELECT pid, correlation_id, min(start_ns) AS start_ns, min(end_ns) AS end_ns, min(global_tid) AS global_tid
FROM calls
WHERE correlation_id IS NOT NULL
GROUP BY pid, correlation_id;

COMMENT ON VIEW launches IS 'one row for each correlation id of a process: the call that launched its activities';
COMMENT ON COLUMN launches.correlation_id IS 'id shared by the call and its activities';
COMMENT ON COLUMN launches.start_ns IS 'CPU start of the call, ns since the session began';
COMMENT ON COLUMN launches.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN launches.global_tid IS 'thread that made the call, in threads';
