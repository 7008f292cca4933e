-- One row for each trace: what the files of a fleet hold. src/gapfinder/fleet/row.py writes them and documents the columns.
-- What aligns the ranks of a job (`rank_…`) is not read here.
CREATE SCHEMA kept;

CREATE TABLE kept.traces AS
SELECT
    row_number() OVER (ORDER BY job, CAST("rank" AS INTEGER), trace, filename) AS trace_id,
    * EXCLUDE (filename, rank_gpus, rank_collectives, rank_stretches, rank_losses, rank_breaks, rank_kernels)
    REPLACE (CAST("rank" AS INTEGER) AS "rank")
FROM read_parquet(getvariable('files'), filename = true, hive_partitioning = true, hive_types_autocast = false);

-- One row for each trace whose job was aligned: what that changes, and the verdict on the job. Or which other trace of the job it
-- is a copy of. Empty here; fleet/open.py inserts the rows.
CREATE TABLE kept.aligned AS
SELECT
    job, identity AS trace_identity, trace, CAST(NULL AS VARCHAR) AS same_as, verdict, headline, ledger, step_ledger, causes,
    CAST(NULL AS VARCHAR) AS job_verdict, CAST(NULL AS VARCHAR) AS job_headline,
    CAST(NULL AS BIGINT) AS late_rank, CAST(NULL AS VARCHAR) AS late_cause, CAST(NULL AS DOUBLE) AS waiting_share
FROM kept.traces
WHERE false;

-- The traces with what is known since their job was aligned: waiting for another rank is no communication. A copy cannot be used.
CREATE VIEW kept.rows AS
SELECT
    t.* REPLACE (
        coalesce(a.verdict, t.verdict) AS verdict,
        coalesce(a.headline, t.headline) AS headline,
        coalesce(a.ledger, t.ledger) AS ledger,
        coalesce(a.step_ledger, t.step_ledger) AS step_ledger,
        coalesce(a.causes, t.causes) AS causes
    )
FROM kept.traces AS t
LEFT JOIN kept.aligned AS a ON a.job = t.job AND a.trace_identity = t.identity
WHERE a.same_as IS NULL
UNION ALL BY NAME
SELECT t.trace_id, t.job, t."rank", t.trace, t.size_bytes, format('holds the same recording as {}', a.same_as) AS error
FROM kept.traces AS t
INNER JOIN kept.aligned AS a ON a.job = t.job AND a.trace_identity = t.identity
WHERE a.same_as IS NOT NULL;

-- One row. From which share of a step on most causes are a finding, and how many ranks it takes to see which one differs.
CREATE TABLE kept.limits AS
SELECT getvariable('usual_share') AS usual_share, getvariable('compared_ranks') AS compared_ranks;
