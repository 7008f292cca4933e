-- Communication activities of the window with names, cut to it.
-- reads: trace.activity_names, trace.collectives, trace.window_regimes
CREATE VIEW main.collectives AS
WITH cut AS (
    SELECT
        c.* REPLACE (
            greatest(c.start_ns, w.start_ns) AS start_ns,
            least(c.end_ns, w.end_ns) AS end_ns,
            least(w.end_ns, greatest(c.all_arrived_ns, w.start_ns)) AS all_arrived_ns
        )
    FROM trace.collectives AS c
    INNER JOIN trace.window_regimes AS w ON c.start_ns < w.end_ns AND c.end_ns > w.start_ns
)

SELECT c.*, n.name, c.end_ns - c.start_ns AS length_ns, c.all_arrived_ns - c.start_ns AS waiting_ns
FROM cut AS c
LEFT JOIN trace.activity_names AS n ON n.activity_id = c.activity_id;

COMMENT ON VIEW main.collectives IS 'communication activities of the window with names, and the arrival of the other ranks that the report holds';
COMMENT ON COLUMN main.collectives.name IS 'name of the kernel';
COMMENT ON COLUMN main.collectives.length_ns IS 'how long it ran, ns';
COMMENT ON COLUMN main.collectives.waiting_ns IS 'how long it waited for the last rank, ns';
