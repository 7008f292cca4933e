-- The cells of a job's heat map: lost time by row (ranks) and column (steps). Where a cell stands for several steps or traces,
-- the worst one counts.
-- reads: page_jobs, page_traces, step_totals
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

COMMENT ON VIEW page_cells IS 'lost time by row and column of a job''s heat map';
COMMENT ON COLUMN page_cells.column IS 'number, from 0';
COMMENT ON COLUMN page_cells.lost_ns IS 'the most that is lost of one step, of the steps and traces that it stands for, ns';
COMMENT ON COLUMN page_cells.top_ns IS 'the most of all cells of the job, ns';
