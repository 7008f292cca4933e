-- What the page draws of each job: a row for each rank, or for several where there are more than 1,000, and a column for each
-- step, or for several where there are more than 120. Jobs that lose most come first, as long as all of them have no more than
-- 3,000 rows and 300,000 cells, which are about 0.8 MB. The others stand only in the table of jobs.
-- reads: jobs, step_totals, traces
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

COMMENT ON VIEW page_jobs IS 'the jobs whose ranks a page draws, and how finely';
COMMENT ON COLUMN page_jobs.rows IS 'rows that are drawn';
COMMENT ON COLUMN page_jobs.columns IS 'columns that are drawn';
COMMENT ON COLUMN page_jobs.first_step IS 'the lowest number of a step; NULL where no trace has steps';
COMMENT ON COLUMN page_jobs.steps IS 'from that to the highest one';
COMMENT ON COLUMN page_jobs.traces_per_row IS 'traces that a row stands for';
COMMENT ON COLUMN page_jobs.steps_per_column IS 'steps that a column stands for';
