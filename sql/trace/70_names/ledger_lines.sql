-- The ledger with compute as one of its lines: the lines of a GPU add up to the window.
-- reads: trace.devices, trace.ledger
CREATE VIEW ledger_lines AS
WITH entries AS (
    SELECT gpu, 'compute' AS cause, compute_ns AS ns FROM trace.devices
    UNION ALL
    SELECT gpu, cause, lost_ns FROM trace.ledger
)

SELECT l.gpu, l.cause, l.ns, l.ns / d.window_ns AS share
FROM entries AS l
INNER JOIN trace.devices AS d ON d.gpu = l.gpu
ORDER BY l.gpu, l.cause <> 'compute', l.ns DESC, l.cause;

COMMENT ON VIEW ledger_lines IS 'the ledger with compute as one of its lines; the lines of a GPU add up to the window, to the nanosecond';
COMMENT ON COLUMN ledger_lines.cause IS 'compute, or the id of a cause';
COMMENT ON COLUMN ledger_lines.ns IS 'time of the window, ns';
COMMENT ON COLUMN ledger_lines.share IS 'of the window, 0 to 1';
