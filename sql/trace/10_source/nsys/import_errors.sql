-- One row: how often nsys failed to read a part of what it had recorded, when it made the report. The events of that part are in
-- no table. Nearly every report has the message "not all events might have been collected", so it is ignored.
-- reads: export.DIAGNOSTIC_EVENT
CREATE TABLE import_errors AS
SELECT count(*) AS times
FROM export.DIAGNOSTIC_EVENT
WHERE text LIKE 'Error when processing events%';

COMMENT ON TABLE import_errors IS 'how often nsys failed to read a part of its own recording';
COMMENT ON COLUMN import_errors.times IS 'number of messages of nsys that say so';
