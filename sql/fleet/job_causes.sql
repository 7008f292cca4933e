-- Where the time of each job goes, over all of its ranks.
-- reads: ledger_lines, trace_causes, traces
CREATE VIEW job_causes AS
WITH windows AS (
    SELECT job, sum(ns) AS ns, count(DISTINCT trace_id) AS traces FROM ledger_lines GROUP BY job
),

struck AS (
    SELECT job, cause, count(*) AS traces FROM trace_causes WHERE is_finding GROUP BY job, cause
),

ranks AS (
    SELECT l.job, l.cause, t.trace, t."rank", sum(l.ns) AS ns, sum(l.share) / t.gpus AS share
    FROM ledger_lines AS l
    INNER JOIN traces AS t ON t.trace_id = l.trace_id
    GROUP BY l.job, l.cause, t.trace_id, t.trace, t."rank", t.gpus
)

SELECT
    r.job,
    r.cause,
    CAST(sum(r.ns) AS BIGINT) AS ns,
    sum(r.ns) / any_value(w.ns) AS share,
    coalesce(any_value(s.traces), 0) AS traces_with_finding,
    any_value(w.traces) AS traces,
    arg_max(r."rank", (r.share, r."rank", r.trace)) AS worst_rank,
    arg_max(r.trace, (r.share, r."rank", r.trace)) AS worst_trace,
    max(r.share) AS worst_share
FROM ranks AS r
INNER JOIN windows AS w ON w.job = r.job
LEFT JOIN struck AS s ON s.job = r.job AND s.cause = r.cause
GROUP BY r.job, r.cause
ORDER BY r.job, r.cause <> 'compute', ns DESC, r.cause;

COMMENT ON VIEW job_causes IS 'where the time of each job goes, over its good traces: compute, and each cause';
COMMENT ON COLUMN job_causes.cause IS 'compute, or the id of a cause';
COMMENT ON COLUMN job_causes.ns IS 'time of all windows, summed over traces and GPUs, ns';
COMMENT ON COLUMN job_causes.share IS 'of all windows, 0 to 1';
COMMENT ON COLUMN job_causes.traces IS 'good traces of the job';
COMMENT ON COLUMN job_causes.worst_rank IS 'the rank with the largest share';
COMMENT ON COLUMN job_causes.worst_trace IS 'the trace of that rank';
COMMENT ON COLUMN job_causes.worst_share IS 'its share of its own window, 0 to 1';
