-- One row for each order that activities cannot run in: before the call that launches them, or to their end before one that was
-- launched earlier on their stream starts.
-- reads: activities, clock_tolerance_ns
CREATE TABLE misordered_activities AS
WITH launched AS (
    SELECT
        launch_start_ns, start_ns, end_ns,
        lag(launch_end_ns) OVER in_order AS launched_before_ns, lag(start_ns) OVER in_order AS started_before_ns
    FROM activities
    WHERE launch_start_ns IS NOT NULL
    WINDOW in_order AS (PARTITION BY pid, gpu, stream ORDER BY launch_start_ns, start_ns)
)

SELECT
    'activities that start before they are launched' AS kind,
    count(*) FILTER (start_ns < launch_start_ns - clock_tolerance_ns()) AS "rows",
    count(*) AS all_rows
FROM launched
UNION ALL
SELECT
    'activities that end before one that was launched earlier on their stream starts',
    count(*) FILTER (launched_before_ns <= launch_start_ns AND end_ns < started_before_ns - clock_tolerance_ns()),
    count(*)
FROM launched;

COMMENT ON TABLE misordered_activities IS 'orders that activities cannot run in, and how many do';
COMMENT ON COLUMN misordered_activities.kind IS 'what cannot be, in words';
