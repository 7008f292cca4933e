-- One row for each event that was recorded on a thread of the program. Recording it cost the thread some time.
-- reads: calls, is_interval, os_calls, export.NVTX_EVENTS
CREATE VIEW recorded_events AS
SELECT global_tid, start_ns, end_ns, CASE WHEN family IN ('launch', 'copy') THEN 'launch' ELSE 'call' END AS kind
FROM calls
UNION ALL
SELECT global_tid, start_ns, end_ns, 'os_call'
FROM os_calls
UNION ALL
-- NVTX ranges, also those of libraries and of the GIL
SELECT globalTid, "start", "end", 'range'
FROM export.NVTX_EVENTS
WHERE is_interval("start", "end")
UNION ALL
-- Python samples are marks with JSON
SELECT globalTid, "start", "start", 'sample'
FROM export.NVTX_EVENTS
WHERE "end" IS NULL AND (jsonText IS NOT NULL OR jsonTextId IS NOT NULL);

COMMENT ON VIEW recorded_events IS 'everything that was recorded on threads of the program';
COMMENT ON COLUMN recorded_events.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN recorded_events.end_ns IS 'CPU end, ns';
COMMENT ON COLUMN recorded_events.kind IS 'launch (also of copies), call (any other CUDA call), os_call, range (NVTX) or sample (Python)';
