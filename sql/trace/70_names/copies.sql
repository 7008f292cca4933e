-- Memcpys and memsets with names.
-- reads: trace.copies, trace.processes
CREATE VIEW main.copies AS
SELECT c.*, c.end_ns - c.start_ns AS length_ns, p.name AS process
FROM trace.copies AS c
LEFT JOIN trace.processes AS p ON p.pid = c.pid;

COMMENT ON VIEW main.copies IS 'memcpys and memsets, with names';
COMMENT ON COLUMN main.copies.length_ns IS 'how long it ran, ns';
