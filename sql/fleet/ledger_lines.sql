-- The ledgers of all traces, with compute as one of the lines: those of one GPU add up to its window, to the nanosecond.
-- reads: kept.rows
CREATE VIEW ledger_lines AS
WITH devices AS (
    SELECT trace_id, job, "rank", trace, unnest(devices, recursive := true) FROM kept.rows
),

lost AS (
    SELECT trace_id, unnest(ledger, recursive := true) FROM kept.rows
)

SELECT d.trace_id, d.job, d."rank", d.trace, d.gpu, d.name AS gpu_name, l.cause, l.ns, l.ns / d.window_ns AS share
FROM devices AS d
INNER JOIN (
    SELECT trace_id, gpu, 'compute' AS cause, compute_ns AS ns FROM devices
    UNION ALL
    SELECT trace_id, gpu, cause, lost_ns FROM lost
) AS l ON l.trace_id = d.trace_id AND l.gpu = d.gpu
ORDER BY d.job, d."rank", d.trace_id, d.gpu, l.cause <> 'compute', l.ns DESC, l.cause;

COMMENT ON VIEW ledger_lines IS 'the ledger of each trace; the lines of a GPU of a trace add up to its window, to the nanosecond';
COMMENT ON COLUMN ledger_lines.rank IS 'as in traces';
COMMENT ON COLUMN ledger_lines.gpu IS 'physical GPU of its machine';
COMMENT ON COLUMN ledger_lines.cause IS 'compute, or the id of a cause';
COMMENT ON COLUMN ledger_lines.ns IS 'time of the window, ns';
COMMENT ON COLUMN ledger_lines.share IS 'of the window, 0 to 1';
