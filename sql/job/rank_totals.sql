-- The ledger of each rank in the window of the job.
-- reads: job_steps, stretch_ledger
CREATE VIEW rank_totals AS
SELECT l.rank, l.cause, CAST(sum(l.ns) AS BIGINT) AS ns
FROM stretch_ledger AS l
ASOF INNER JOIN job_steps AS b ON b.rank = l.rank AND l.until_ns <= b.end_ns
WHERE l.until_ns > b.start_ns
GROUP BY l.rank, l.cause
HAVING sum(l.ns) > 0
ORDER BY l.rank, ns DESC, l.cause;

COMMENT ON VIEW rank_totals IS 'the ledger of each rank in the window of the job: compute and all causes add up to it';
COMMENT ON COLUMN rank_totals.cause IS 'compute, or id of a cause';
COMMENT ON COLUMN rank_totals.ns IS 'time, ns';
