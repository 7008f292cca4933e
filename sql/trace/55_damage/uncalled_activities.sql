-- One row for each process of which calls are missing: activities have the correlation id of a call, and the call is not there.
-- Activities that were launched before the recording began have none, and come before all others. In sound traces there are no
-- more, and no process has activities alone where another one has calls. No call launches a migration.
-- reads: activities, calls, migrations
CREATE TABLE uncalled_activities AS
WITH totals AS (
    SELECT pid, min(start_ns) FILTER (WHERE launch_start_ns IS NOT NULL) AS begun_ns, count(*) AS all_rows
    FROM activities
    GROUP BY pid
)

SELECT a.pid, count(*) AS "rows", any_value(p.all_rows) AS all_rows
FROM (FROM activities WHERE launch_start_ns IS NULL) AS a
ANTI JOIN migrations AS m ON m.activity_id = a.activity_id
INNER JOIN totals AS p ON p.pid = a.pid
WHERE
    a.start_ns > p.begun_ns
    OR (p.begun_ns IS NULL AND EXISTS (FROM calls))
GROUP BY a.pid;

COMMENT ON TABLE uncalled_activities IS 'processes of which calls are missing; empty for a sound trace';
COMMENT ON COLUMN uncalled_activities."rows" IS 'number of activities whose call is missing';
COMMENT ON COLUMN uncalled_activities.all_rows IS 'number of its activities';
