-- Where the time of the fleet goes, day by day.
-- reads: ledger_lines, traces
CREATE VIEW day_causes AS
WITH dated AS (
    SELECT t."day", l.cause, l.ns, l.trace_id
    FROM ledger_lines AS l
    INNER JOIN traces AS t ON t.trace_id = l.trace_id
),

windows AS (
    SELECT "day", sum(ns) AS ns, count(DISTINCT trace_id) AS traces FROM dated GROUP BY "day"
)

SELECT
    d."day",
    d.cause,
    CAST(sum(d.ns) AS BIGINT) AS ns,
    sum(d.ns) / any_value(w.ns) AS share,
    any_value(w.traces) AS traces
FROM dated AS d
INNER JOIN windows AS w ON w."day" IS NOT DISTINCT FROM d."day"
GROUP BY d."day", d.cause
ORDER BY d."day", d.cause <> 'compute', ns DESC, d.cause;

COMMENT ON VIEW day_causes IS 'where the time of each day''s good traces goes: compute, and each cause';
COMMENT ON COLUMN day_causes.day IS 'as in traces';
COMMENT ON COLUMN day_causes.cause IS 'compute, or the id of a cause';
COMMENT ON COLUMN day_causes.ns IS 'time of all windows, summed over traces and GPUs, ns';
COMMENT ON COLUMN day_causes.share IS 'of all windows, 0 to 1';
COMMENT ON COLUMN day_causes.traces IS 'good traces of that day';
