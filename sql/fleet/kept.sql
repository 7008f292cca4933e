-- What a ledger's files hold, one row for each trace; its columns are documented where they are written, in fleet/row.py.
CREATE SCHEMA kept;

CREATE TABLE kept.rows AS
SELECT row_number() OVER (ORDER BY job, CAST("rank" AS INTEGER), trace, filename) AS trace_id, * REPLACE (CAST("rank" AS INTEGER) AS "rank")
FROM read_parquet(getvariable('files'), filename = true, hive_partitioning = true, hive_types_autocast = false);
