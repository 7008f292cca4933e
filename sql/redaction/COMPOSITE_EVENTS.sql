-- CPU samples of the program's own processes.
-- reads: pid_of, redacted.own_processes, export.COMPOSITE_EVENTS
CREATE VIEW redacted.COMPOSITE_EVENTS AS
SELECT * FROM export.COMPOSITE_EVENTS WHERE pid_of(globalTid) IN (FROM redacted.own_processes) ORDER BY rowid;
