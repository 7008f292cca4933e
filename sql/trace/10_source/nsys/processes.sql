-- One row for each captured process.
-- reads: export.PROCESSES
CREATE VIEW processes AS
SELECT pid, min(name) AS name
FROM export.PROCESSES
GROUP BY pid;

COMMENT ON VIEW processes IS 'captured processes, forked DataLoader workers among them';
COMMENT ON COLUMN processes.name IS 'executable or title';
