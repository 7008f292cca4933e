-- Communication activities with names.
-- reads: trace.activity_names, trace.collectives
CREATE VIEW main.collectives AS
SELECT c.*, n.name, c.end_ns - c.start_ns AS length_ns, c.all_arrived_ns - c.start_ns AS waiting_ns
FROM trace.collectives AS c
LEFT JOIN trace.activity_names AS n ON n.activity_id = c.activity_id;

COMMENT ON VIEW main.collectives IS 'communication activities of the window with names, and the arrival of the other ranks that the report holds';
COMMENT ON COLUMN main.collectives.name IS 'name of the kernel';
COMMENT ON COLUMN main.collectives.length_ns IS 'how long it ran, ns';
COMMENT ON COLUMN main.collectives.waiting_ns IS 'how long it waited for the last rank, ns';
