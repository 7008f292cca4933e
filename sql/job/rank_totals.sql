-- The ledger of each rank in the window of the job.
-- reads: job_ledger
CREATE VIEW rank_totals AS
SELECT rank, cause, CAST(sum(ns) AS BIGINT) AS ns
FROM job_ledger
GROUP BY rank, cause
HAVING sum(ns) > 0
ORDER BY rank, ns DESC, cause;

COMMENT ON VIEW rank_totals IS 'the ledger of each rank in the window of the job: compute and all causes add up to it';
COMMENT ON COLUMN rank_totals.rank IS 'number of the rank';
COMMENT ON COLUMN rank_totals.cause IS 'compute, id of a cause, or pipeline_bubble';
COMMENT ON COLUMN rank_totals.ns IS 'time, ns';
