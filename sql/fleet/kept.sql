-- One row for each trace: what the files of a ledger hold. src/gapfinder/fleet/row.py writes them and documents the columns.
CREATE SCHEMA kept;

CREATE TABLE kept.rows AS
SELECT
    row_number() OVER (ORDER BY job, CAST("rank" AS INTEGER), trace, filename) AS trace_id,
    * REPLACE (CAST("rank" AS INTEGER) AS "rank")
FROM read_parquet(getvariable('files'), filename = true, hive_partitioning = true, hive_types_autocast = false);

-- One row. From which share of a step on most causes are a finding: src/gapfinder/pipeline/causes.py says it.
CREATE TABLE kept.limits AS
SELECT getvariable('usual_share') AS usual_share;
