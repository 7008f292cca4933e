-- The ledger of each rank and step in the window of the job: compute and all causes add up to the step.
-- reads: bounds, stretch_ledger
CREATE VIEW job_ledger AS
SELECT b.rank, b.step, l.cause, CAST(sum(l.ns) AS BIGINT) AS ns
FROM stretch_ledger AS l
ASOF INNER JOIN bounds AS b ON b.rank = l.rank AND l.until_ns <= b.to_ns
WHERE l.until_ns > b.from_ns
GROUP BY b.rank, b.step, l.cause;

COMMENT ON VIEW job_ledger IS 'per rank and step of the job, compute and all causes add up to the step';
COMMENT ON COLUMN job_ledger.rank IS 'number of the rank';
COMMENT ON COLUMN job_ledger.step IS 'as in steps';
COMMENT ON COLUMN job_ledger.cause IS 'compute, id of a cause, or pipeline_bubble';
COMMENT ON COLUMN job_ledger.ns IS 'time, ns';
