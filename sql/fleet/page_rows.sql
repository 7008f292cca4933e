-- The rows of a job's heat map: the traces that each stands for, and the mean share of each cause.
-- reads: ledger_lines, page_traces, traces
CREATE VIEW page_rows AS
WITH shares AS (
    SELECT p.job, p."row", l.cause, sum(l.share) / any_value(t.gpus) AS share
    FROM page_traces AS p
    INNER JOIN traces AS t ON t.trace_id = p.trace_id
    INNER JOIN ledger_lines AS l ON l.trace_id = p.trace_id
    GROUP BY p.job, p."row", p.trace_id, l.cause
),

sizes AS (
    SELECT
        p.job,
        p."row",
        count(*) AS traces,
        min(p."rank") AS first_rank,
        max(p."rank") AS last_rank,
        min_by(p.trace, p.trace_id) AS trace,
        avg(t.step_ns) AS step_ns
    FROM page_traces AS p
    INNER JOIN traces AS t ON t.trace_id = p.trace_id
    GROUP BY p.job, p."row"
),

totals AS (
    SELECT job, "row", cause, sum(share) AS share FROM shares GROUP BY job, "row", cause
)

SELECT
    s.job,
    s."row",
    s.traces,
    s.first_rank,
    s.last_rank,
    s.trace,
    s.step_ns,
    map_from_entries(list(row(t.cause, t.share / s.traces) ORDER BY t.cause)) AS shares
FROM sizes AS s
INNER JOIN totals AS t ON t.job = s.job AND t."row" = s."row"
GROUP BY ALL
ORDER BY s.job, s."row";

COMMENT ON VIEW page_rows IS 'what each row stands for, and where its time goes';
COMMENT ON COLUMN page_rows.traces IS 'number of its traces';
COMMENT ON COLUMN page_rows.first_rank IS 'the lowest of its ranks; NULL where they are not known';
COMMENT ON COLUMN page_rows.last_rank IS 'the highest of its ranks';
COMMENT ON COLUMN page_rows.trace IS 'the first of its traces';
COMMENT ON COLUMN page_rows.step_ns IS 'their mean step, ns';
COMMENT ON COLUMN page_rows.shares IS 'compute and each cause, of the windows, 0 to 1, as the mean of its traces';
