-- Exposed communication and exposed copies with names.
-- reads: trace.activity_names, trace.exposed_time
CREATE VIEW main.exposed_time AS
SELECT e.*, n.name, e.end_ns - e.start_ns AS length_ns
FROM trace.exposed_time AS e
LEFT JOIN trace.activity_names AS n ON n.activity_id = e.activity_id;

COMMENT ON VIEW main.exposed_time IS 'exposed communication and exposed copies, with names';
COMMENT ON COLUMN main.exposed_time.name IS 'name of the activity';
COMMENT ON COLUMN main.exposed_time.length_ns IS 'length, ns';
