-- Launches of CUDA graphs that were traced as a whole, with names.
-- reads: trace.graph_launches, trace.processes
CREATE VIEW main.graph_launches AS
SELECT g.*, g.end_ns - g.start_ns AS length_ns, p.name AS process
FROM trace.graph_launches AS g
LEFT JOIN trace.processes AS p ON p.pid = g.pid;

COMMENT ON VIEW main.graph_launches IS 'launches of CUDA graphs that were traced as a whole, with names';
COMMENT ON COLUMN main.graph_launches.length_ns IS 'how long it ran, ns';
