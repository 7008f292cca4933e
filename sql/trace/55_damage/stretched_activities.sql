-- One row for each kernel that takes far longer than most of its name, and ends just before the next activity is launched,
-- although nothing waited for it, as if it had been made longer to fill a gap: in between, no synchronize call of its process
-- returned, no other long call, and no query that had been in vain before.
--
-- Twice as long: most of its name still have their own length. A tenth of its length: how much of the gap it may leave. Where
-- the GPU waits for each launch, some end so by chance: half of the long ones of a name have to, and they have to take a
-- hundredth of the window.
-- reads: activities, calls, clock_tolerance_ns, window
CREATE TABLE stretched_activities AS
WITH usual AS (
    SELECT gpu, name_id, median(end_ns - start_ns) AS usual_ns
    FROM activities
    WHERE kind = 'compute'
    GROUP BY gpu, name_id
),

long_activities AS (
    SELECT a.*, a.end_ns - a.start_ns AS length_ns, count(*) OVER (PARTITION BY a.gpu, a.name_id) AS long_ones
    FROM activities AS a
    INNER JOIN usual AS u ON u.gpu = a.gpu AND u.name_id = a.name_id
    INNER JOIN "window" AS w ON a.end_ns > w.start_ns AND a.start_ns < w.end_ns
    WHERE a.kind = 'compute' AND a.end_ns - a.start_ns > greatest(clock_tolerance_ns(), 2 * u.usual_ns)
),

followed AS (
    SELECT a.activity_id, a.gpu, a.name_id, a.pid, a.end_ns, a.length_ns, a.long_ones, b.launch_start_ns AS next_launch_ns
    FROM long_activities AS a
    ASOF INNER JOIN (
        SELECT gpu, start_ns, max(launch_start_ns) AS launch_start_ns
        FROM activities
        WHERE EXISTS (FROM long_activities)
        GROUP BY gpu, start_ns
    ) AS b
        ON b.gpu = a.gpu AND a.end_ns <= b.start_ns
    WHERE b.start_ns - a.end_ns < 0.1 * a.length_ns AND b.launch_start_ns >= a.end_ns - clock_tolerance_ns()
),

queries AS (
    SELECT pid, end_ns, in_vain, lag(in_vain) OVER (PARTITION BY global_tid ORDER BY start_ns) AS after_one_in_vain
    FROM calls
    WHERE family = 'query' AND EXISTS (FROM followed)
),

waits AS (
    SELECT pid, end_ns
    FROM calls
    WHERE (family = 'sync' OR end_ns - start_ns > clock_tolerance_ns()) AND EXISTS (FROM followed)
    UNION ALL
    SELECT pid, end_ns FROM queries WHERE after_one_in_vain AND NOT in_vain
),

unawaited AS (
    SELECT f.activity_id, f.length_ns, count(*) OVER (PARTITION BY f.gpu, f.name_id) < 0.5 * f.long_ones AS by_chance
    FROM followed AS f
    ASOF LEFT JOIN waits AS w ON w.pid = f.pid AND f.next_launch_ns >= w.end_ns
    WHERE w.end_ns IS NULL OR w.end_ns < f.end_ns - clock_tolerance_ns()
)

SELECT activity_id, length_ns
FROM unawaited
WHERE NOT by_chance
QUALIFY sum(length_ns) OVER () >= 0.01 * (SELECT length_ns FROM "window");

COMMENT ON TABLE stretched_activities IS 'long kernels that end as the next one is launched, which did not wait for them; empty for a sound trace';
COMMENT ON COLUMN stretched_activities.length_ns IS 'how long it takes, ns';
