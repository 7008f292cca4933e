-- One row for each idle interval that ends with a migration: no call launches a migration, so the CPU is asked why it has not
-- launched the next activity of the process yet. Where there is no next one, until the analysed time ends, as for the last gap.
-- reads: analysed_activities, analysed_time, idle_intervals, launching_threads, migrations
CREATE TABLE migration_launches AS
WITH idle AS (
    SELECT i.activity_id, i.gpu, i.pid, i.idle_until_ns
    FROM idle_intervals AS i
    INNER JOIN migrations AS m ON m.activity_id = i.activity_id
    WHERE i.launch_start_ns IS NULL
),

launched AS (
    SELECT gpu, pid, start_ns, global_tid, launch_start_ns, launch_end_ns
    FROM analysed_activities
    WHERE launch_start_ns IS NOT NULL AND pid IN (SELECT pid FROM idle)
)

SELECT
    i.activity_id,
    coalesce(l.global_tid, t.global_tid) AS global_tid,
    coalesce(l.launch_start_ns, w.end_ns) AS launch_start_ns,
    coalesce(l.launch_end_ns, w.end_ns) AS launch_end_ns
FROM idle AS i
CROSS JOIN analysed_time AS w
ASOF LEFT JOIN launched AS l ON l.gpu = i.gpu AND l.pid = i.pid AND l.start_ns >= i.idle_until_ns
LEFT JOIN launching_threads AS t ON t.pid = i.pid AND t.main;

COMMENT ON TABLE migration_launches IS 'idle intervals that end with a migration, each with the next launch of the process';
COMMENT ON COLUMN migration_launches.activity_id IS 'the migration, as in activities';
COMMENT ON COLUMN migration_launches.global_tid IS 'launching thread';
COMMENT ON COLUMN migration_launches.launch_start_ns IS 'CPU start of the next launch, ns since the session began; the end of the analysed time where there is none';
COMMENT ON COLUMN migration_launches.launch_end_ns IS 'CPU end of it, ns';
