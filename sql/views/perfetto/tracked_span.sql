-- One row: the part of the trace that is drawn, and the time that is zero there. It is the whole trace, or what touches the
-- window that was asked for. Viewers keep times as floating point numbers of microseconds, so the numbers have to stay small.
-- reads: trace.activities, trace.calls, trace.gil_ranges, trace.nvtx_ranges, trace.options, trace.os_calls
-- reads: trace.profiler_overheads, trace.tid_of, trace.touches, window
CREATE TABLE tracked_span AS
WITH asked AS (
    SELECT coalesce(window_from_step, window_to_step, window_from_ns, window_to_ns) IS NOT NULL AS a_part FROM trace.options
),

spans AS (
    SELECT start_ns, end_ns FROM trace.activities
    UNION ALL
    SELECT start_ns, end_ns FROM trace.calls
    UNION ALL
    SELECT start_ns, end_ns FROM trace.nvtx_ranges
    UNION ALL
    SELECT start_ns, end_ns FROM trace.os_calls WHERE trace.tid_of(global_tid) > 0
    UNION ALL
    SELECT start_ns, end_ns FROM trace.profiler_overheads
    UNION ALL
    SELECT start_ns, end_ns FROM trace.gil_ranges WHERE waiting
    UNION ALL
    SELECT start_ns, end_ns FROM trace."window"
)

SELECT
    CASE WHEN a.a_part THEN w.start_ns ELSE min(s.start_ns) END AS from_ns,
    CASE WHEN a.a_part THEN w.end_ns ELSE max(s.end_ns) + 1 END AS to_ns,
    min(s.start_ns) AS zero_ns
FROM spans AS s, trace."window" AS w, asked AS a
WHERE NOT a.a_part OR trace.touches(s.start_ns, s.end_ns, w.start_ns, w.end_ns)
GROUP BY a.a_part, w.start_ns, w.end_ns;

COMMENT ON TABLE tracked_span IS 'the part of the trace that is drawn as tracks: one row';
COMMENT ON COLUMN tracked_span.from_ns IS 'start, ns since the session began; what ends before it is left out';
COMMENT ON COLUMN tracked_span.to_ns IS 'end, ns; what starts then or later is left out';
COMMENT ON COLUMN tracked_span.zero_ns IS 'start of the first event that is drawn, ns since the session began';
