-- The program's own processes, with their names alone: a title may hold arguments.
-- reads: redacted.own_processes, texts.shown, export.PROCESSES
CREATE VIEW redacted.PROCESSES AS
SELECT p.globalPid, p.pid, t.shown AS name
FROM export.PROCESSES AS p
LEFT JOIN texts.shown AS t ON t.text = p.name AND t.use = 'process'
WHERE p.pid IN (FROM redacted.own_processes)
ORDER BY p.rowid;
