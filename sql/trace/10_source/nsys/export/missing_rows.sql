-- One row for each table of events whose numbers of rows have holes: nsys numbers them from 1 on, and leaves out none. Only
-- SQLite keeps the numbers.
CREATE TABLE export.missing_rows (table_name VARCHAR, "rows" BIGINT, all_rows BIGINT);

COMMENT ON TABLE export.missing_rows IS 'tables of which rows are gone';
COMMENT ON COLUMN export.missing_rows."rows" IS 'number of rows that are gone';
COMMENT ON COLUMN export.missing_rows.all_rows IS 'number of rows that there were';
