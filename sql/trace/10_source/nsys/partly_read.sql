-- One row for each table of events of which a part was read: the window is one in times, and rows lie outside of it. What belongs
-- to a row in the window may be among those.
-- reads: export.partly_read
CREATE TABLE partly_read AS SELECT table_name FROM export.partly_read;

COMMENT ON TABLE partly_read IS 'tables of which only the rows in and around a window in times were read; empty for other windows';
