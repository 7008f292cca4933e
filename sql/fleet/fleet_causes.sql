-- Where the time of the whole fleet goes.
-- reads: job_causes
CREATE VIEW fleet_causes AS
SELECT
    cause,
    CAST(sum(ns) AS BIGINT) AS ns,
    sum(ns) / (SELECT sum(ns) FROM job_causes) AS share,
    CAST(sum(traces_with_finding) AS BIGINT) AS traces_with_finding,
    count(DISTINCT job) AS jobs,
    arg_max(job, (share, job)) AS worst_job
FROM job_causes
GROUP BY cause
ORDER BY cause <> 'compute', ns DESC, cause;

COMMENT ON VIEW fleet_causes IS 'where the time of the fleet goes, over all good traces: compute, and each cause';
COMMENT ON COLUMN fleet_causes.cause IS 'compute, or the id of a cause';
COMMENT ON COLUMN fleet_causes.ns IS 'time of all windows, summed over traces and GPUs, ns';
COMMENT ON COLUMN fleet_causes.share IS 'of all windows, 0 to 1';
COMMENT ON COLUMN fleet_causes.jobs IS 'jobs that met it';
COMMENT ON COLUMN fleet_causes.worst_job IS 'the job with the largest share';
