-- Kernels with names.
-- reads: trace.kernels, trace.processes, trace.strings
CREATE VIEW main.kernels AS
SELECT k.* EXCLUDE (name_id), coalesce(s.text, '?') AS name, k.end_ns - k.start_ns AS length_ns, p.name AS process
FROM trace.kernels AS k
LEFT JOIN trace.strings AS s ON s.string_id = k.name_id
LEFT JOIN trace.processes AS p ON p.pid = k.pid;

COMMENT ON VIEW main.kernels IS 'kernels that ran, with names';
COMMENT ON COLUMN main.kernels.name IS 'short name';
COMMENT ON COLUMN main.kernels.length_ns IS 'how long it ran, ns';
