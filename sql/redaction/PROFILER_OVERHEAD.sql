-- Overhead in the program's own processes.
-- reads: pid_of, redacted.own_processes, export.PROFILER_OVERHEAD
CREATE VIEW redacted.PROFILER_OVERHEAD AS
SELECT * FROM export.PROFILER_OVERHEAD WHERE pid_of(globalTid) IN (FROM redacted.own_processes) ORDER BY rowid;
