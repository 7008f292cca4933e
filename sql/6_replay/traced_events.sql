-- What the profiler recorded on the threads that launch, in the steps that are replayed: each event cost them some time.
CREATE VIEW traced_events AS
WITH recorded AS (
    SELECT global_tid, start_ns, end_ns, CASE WHEN family IN ('launch', 'copy') THEN 'launch' ELSE 'call' END AS kind
    FROM calls
    UNION ALL
    SELECT global_tid, start_ns, end_ns, 'os_call' FROM os_calls
    UNION ALL
    -- ranges, those of libraries and of the GIL too; and the Python samples, which are marks with a text
    SELECT globalTid, "start", "end", 'range' FROM export.NVTX_EVENTS WHERE is_interval("start", "end")
    UNION ALL
    SELECT globalTid, "start", "start", 'sample'
    FROM export.NVTX_EVENTS
    WHERE "end" IS NULL AND (jsonText IS NOT NULL OR jsonTextId IS NOT NULL)
)

SELECT
    r.start_ns,
    r.kind,
    CASE WHEN r.kind = 'launch' THEN lead(r.start_ns) OVER (PARTITION BY r.kind ORDER BY r.start_ns, r.end_ns) - r.start_ns END AS until_next_ns
FROM recorded AS r
INNER JOIN replay_window AS w ON r.start_ns >= w.start_ns AND r.start_ns < w.end_ns
INNER JOIN submitters AS s ON s.global_tid = r.global_tid AND s.pid = w.pid
ORDER BY r.start_ns, r.end_ns, r.kind;

COMMENT ON VIEW traced_events IS 'calls, ranges and samples that were recorded on the submitters, in order';
COMMENT ON COLUMN traced_events.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN traced_events.kind IS 'launch (and copy), call (any other of CUDA), os_call, range (NVTX) or sample (Python)';
COMMENT ON COLUMN traced_events.until_next_ns IS 'from a launch to the next one, ns; NULL for the last, and for what is none';
