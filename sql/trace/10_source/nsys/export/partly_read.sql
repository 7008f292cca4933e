-- One row for each table of events of which rows were not read, because they lie outside of the window in times.
CREATE TABLE export.partly_read (table_name VARCHAR);

COMMENT ON TABLE export.partly_read IS 'tables of which only a part was read';
