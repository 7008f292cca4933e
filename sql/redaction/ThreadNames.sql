-- The threads of the program's own processes.
-- reads: pid_of, redacted.own_processes, export.ThreadNames
CREATE VIEW redacted.ThreadNames AS
SELECT * FROM export.ThreadNames WHERE pid_of(globalTid) IN (FROM redacted.own_processes) ORDER BY rowid;
