-- In which row of a job's heat map each trace is drawn. A large job has several traces in a row.
-- reads: page_jobs, traces
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

COMMENT ON VIEW page_traces IS 'the row in which each good trace is drawn';
COMMENT ON COLUMN page_traces.rank IS 'as in traces';
