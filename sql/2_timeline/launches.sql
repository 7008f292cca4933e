-- Which call, on which thread, submitted each op. Read from the export: of a million calls none is looked up by its name.
CREATE VIEW launches AS
SELECT pid_of(globalTid) AS pid, correlationId AS correlation_id, "start" AS start_ns, "end" AS end_ns, globalTid AS global_tid
FROM export.CUPTI_ACTIVITY_KIND_RUNTIME
WHERE correlationId IS NOT NULL AND is_interval("start", "end");

COMMENT ON VIEW launches IS 'the call that submitted each op, by process and correlation id, which a damaged trace may give to several calls';
COMMENT ON COLUMN launches.pid IS 'process id';
COMMENT ON COLUMN launches.correlation_id IS 'id shared by the call and its ops';
COMMENT ON COLUMN launches.start_ns IS 'CPU start of the call, ns since the session began';
COMMENT ON COLUMN launches.end_ns IS 'CPU end of the call, ns';
COMMENT ON COLUMN launches.global_tid IS 'the submitter: the thread that made the call';
