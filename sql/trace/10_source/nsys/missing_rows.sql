-- One row for each table of events of which rows are gone, because somebody deleted them or the disk lost them.
-- reads: export.missing_rows
CREATE TABLE missing_rows AS SELECT table_name, "rows", all_rows FROM export.missing_rows;

COMMENT ON TABLE missing_rows IS 'tables of which rows are gone; empty for a sound trace';
COMMENT ON COLUMN missing_rows."rows" IS 'number of rows that are gone';
COMMENT ON COLUMN missing_rows.all_rows IS 'number of rows that there were';
