-- What the profiler recorded on the threads that launch: each event cost them some time.
-- reads: launching_threads, recorded_events
CREATE VIEW traced_events AS
SELECT
    t.pid,
    r.start_ns,
    r.kind,
    CASE
        WHEN r.kind = 'launch' THEN lead(r.start_ns) OVER (PARTITION BY t.pid, r.kind ORDER BY r.start_ns, r.end_ns) - r.start_ns
    END AS until_next_ns
FROM recorded_events AS r
INNER JOIN launching_threads AS t ON t.global_tid = r.global_tid;

COMMENT ON VIEW traced_events IS 'calls, ranges and samples that were recorded on the launching threads';
COMMENT ON COLUMN traced_events.pid IS 'process id';
COMMENT ON COLUMN traced_events.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN traced_events.kind IS 'as in recorded_events';
COMMENT ON COLUMN traced_events.until_next_ns IS 'from a launch to the next one of the process, ns; NULL for the last, and for what is none';
