-- One row: what a conversion was made of. A gapfinder that reads and computes the same uses its relations as they are.
CREATE TABLE main.conversion (
    gapfinder VARCHAR, source VARCHAR, "tables" VARCHAR[], "rows" BIGINT[], "reading" VARCHAR, computing VARCHAR
);

COMMENT ON TABLE main.conversion IS 'what this is a conversion of, one row; the options are in the table options';
COMMENT ON COLUMN main.conversion.gapfinder IS 'version of the gapfinder that made it';
COMMENT ON COLUMN main.conversion.source IS 'file name of the trace';
COMMENT ON COLUMN main.conversion."tables" IS 'tables that the trace had, of those that gapfinder reads';
COMMENT ON COLUMN main.conversion."rows" IS 'number of rows of each of these tables';
COMMENT ON COLUMN main.conversion."reading" IS 'digest of which columns and rows gapfinder reads of a trace';
COMMENT ON COLUMN main.conversion.computing IS 'digest of all tables, and of what they were computed with: gapfinder''s SQL, the options and the config';
