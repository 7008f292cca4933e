-- One row for each event that was recorded on a launching thread. Recording it cost the thread some time.
-- reads: launching_threads, recorded_events
CREATE VIEW traced_events AS
SELECT t.pid, r.start_ns, r.end_ns, r.kind
FROM recorded_events AS r
INNER JOIN launching_threads AS t ON t.global_tid = r.global_tid;

COMMENT ON VIEW traced_events IS 'calls, ranges and samples that were recorded on the launching threads';
COMMENT ON COLUMN traced_events.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN traced_events.end_ns IS 'CPU end, ns';
