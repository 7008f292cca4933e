-- What a page draws of each job: a row for each rank, or for several where there are more than 1,000, and a column for each step,
-- or for several where there are more than 120. Jobs are drawn, those that lose most first, while all of them have no more than
-- 3,000 rows and 300,000 cells, which are about 0.8 MB; the others are in the table of jobs alone.
CREATE VIEW page_jobs AS
WITH sizes AS (
    SELECT
        job,
        count(DISTINCT trace_id) AS traces,
        min(step) AS first_step,
        coalesce(max(step) - min(step) + 1, 1) AS steps
    FROM traces
    LEFT JOIN (SELECT DISTINCT trace_id, step FROM step_totals) AS s USING (trace_id)
    WHERE good
    GROUP BY job
),

folded AS (
    SELECT
        s.*,
        j.lost_ns,
        CAST(ceil(s.traces / 1000) AS BIGINT) AS traces_per_row,
        CAST(ceil(s.steps / 120) AS BIGINT) AS steps_per_column
    FROM sizes AS s
    INNER JOIN jobs AS j ON j.job = s.job
),

counted AS (
    SELECT
        *,
        CAST(ceil(traces / traces_per_row) AS BIGINT) AS "rows",
        CAST(ceil(steps / steps_per_column) AS BIGINT) AS columns
    FROM folded
)

SELECT job, "rows", columns, first_step, steps, traces_per_row, steps_per_column
FROM counted
QUALIFY
    sum("rows") OVER (ORDER BY lost_ns DESC, job) <= 3000
    AND sum("rows" * columns) OVER (ORDER BY lost_ns DESC, job) <= 300000
ORDER BY lost_ns DESC, job;

CREATE VIEW page_traces AS
SELECT
    t.job,
    (row_number() OVER (PARTITION BY t.job ORDER BY t."rank", t.trace_id) - 1) // p.traces_per_row AS "row",
    t.trace_id,
    t."rank",
    t.trace
FROM traces AS t
INNER JOIN page_jobs AS p ON p.job = t.job
WHERE t.good;

CREATE VIEW page_rows AS
WITH shares AS (
    SELECT p.job, p."row", l.cause, avg(l.share) AS share
    FROM page_traces AS p
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

CREATE VIEW page_cells AS
WITH steps AS (
    SELECT trace_id, step, avg(lost_ns) AS lost_ns FROM step_totals GROUP BY trace_id, step
)

SELECT
    t.job,
    t."row",
    (s.step - j.first_step) // j.steps_per_column AS "column",
    max(s.lost_ns) AS lost_ns,
    max(max(s.lost_ns)) OVER (PARTITION BY t.job) AS top_ns
FROM steps AS s
INNER JOIN page_traces AS t ON t.trace_id = s.trace_id
INNER JOIN page_jobs AS j ON j.job = t.job
GROUP BY t.job, t."row", "column"
ORDER BY t.job, t."row", "column";

COMMENT ON VIEW page_jobs IS 'the jobs whose ranks a page draws, and how finely';
COMMENT ON COLUMN page_jobs.job IS 'as in traces';
COMMENT ON COLUMN page_jobs.rows IS 'rows that are drawn';
COMMENT ON COLUMN page_jobs.columns IS 'columns that are drawn';
COMMENT ON COLUMN page_jobs.first_step IS 'the lowest number of a step; NULL where no trace has steps';
COMMENT ON COLUMN page_jobs.steps IS 'from that to the highest one';
COMMENT ON COLUMN page_jobs.traces_per_row IS 'traces that a row stands for';
COMMENT ON COLUMN page_jobs.steps_per_column IS 'steps that a column stands for';
COMMENT ON VIEW page_traces IS 'the row in which each good trace is drawn';
COMMENT ON COLUMN page_traces.job IS 'as in traces';
COMMENT ON COLUMN page_traces.row IS 'number, from 0';
COMMENT ON COLUMN page_traces.trace_id IS 'as in traces';
COMMENT ON COLUMN page_traces.rank IS 'as in traces';
COMMENT ON COLUMN page_traces.trace IS 'as in traces';
COMMENT ON VIEW page_rows IS 'what each row stands for, and where its time goes';
COMMENT ON COLUMN page_rows.job IS 'as in traces';
COMMENT ON COLUMN page_rows.row IS 'number, from 0';
COMMENT ON COLUMN page_rows.traces IS 'number of its traces';
COMMENT ON COLUMN page_rows.first_rank IS 'the lowest of its ranks; NULL where they are not known';
COMMENT ON COLUMN page_rows.last_rank IS 'the highest of its ranks';
COMMENT ON COLUMN page_rows.trace IS 'the first of its traces';
COMMENT ON COLUMN page_rows.step_ns IS 'their mean step, ns';
COMMENT ON COLUMN page_rows.shares IS 'compute and each cause, of the windows, 0 to 1, as the mean of its traces';
COMMENT ON VIEW page_cells IS 'lost time by row and column';
COMMENT ON COLUMN page_cells.job IS 'as in traces';
COMMENT ON COLUMN page_cells.row IS 'number, from 0';
COMMENT ON COLUMN page_cells.column IS 'number, from 0';
COMMENT ON COLUMN page_cells.lost_ns IS 'the most that is lost of one step, of the steps and traces that it stands for, ns';
COMMENT ON COLUMN page_cells.top_ns IS 'the most of all cells of the job, ns';
