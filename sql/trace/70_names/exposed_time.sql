-- Exposed communication, exposed copies and interrupted compute of the window with names, cut to it.
-- reads: trace.activity_names, trace.exposed_time, trace.window_regimes
CREATE VIEW main.exposed_time AS
WITH cut AS (
    SELECT e.* REPLACE (greatest(e.start_ns, w.start_ns) AS start_ns, least(e.end_ns, w.end_ns) AS end_ns)
    FROM trace.exposed_time AS e
    INNER JOIN trace.window_regimes AS w ON e.start_ns < w.end_ns AND e.end_ns > w.start_ns
)

SELECT e.*, n.name, e.end_ns - e.start_ns AS length_ns
FROM cut AS e
LEFT JOIN trace.activity_names AS n ON n.activity_id = e.activity_id;

COMMENT ON VIEW main.exposed_time IS 'exposed communication, exposed copies and interrupted compute of the window, with names';
COMMENT ON COLUMN main.exposed_time.name IS 'name of the activity';
