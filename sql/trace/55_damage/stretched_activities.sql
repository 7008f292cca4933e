-- One row for each kernel that ends just before the next activity could start, although nothing waited for it, as if it had been
-- made longer to fill a gap: in between, no synchronize call of its process returned, no other long call, and no query that had
-- been in vain before. A copy of more than 64 KB from pageable memory can start once its call has staged the first part of it:
-- in 20 traces the quickest of each size start 22 to 227 us after their launch, whatever the size. One that starts later waited.
--
-- Such a kernel takes twice as long as most of its name (or 1 ms, before a staged copy: all of its name may have been made
-- longer), and leaves a tenth of its length of the gap; or it takes ten times as long as the shortest tenth of its name, and
-- leaves up to three times its length. Where the GPU waits for each launch, some end so by chance: half of the kernels of its
-- name that take as long have to, and they have to take a hundredth of the window. In 137 sound traces there is none of them.
-- reads: activities, calls, clock_tolerance_ns, copies, window
CREATE TABLE stretched_activities AS
WITH usual AS (
    SELECT
        gpu,
        name_id,
        median(end_ns - start_ns) AS usual_ns,
        quantile_cont(end_ns - start_ns, 0.1) AS short_ns
    FROM activities
    WHERE kind = 'compute'
    GROUP BY gpu, name_id
),

long_activities AS (
    SELECT a.*, a.end_ns - a.start_ns AS length_ns, u.short_ns, least(2 * u.usual_ns, 10 * u.short_ns) AS long_ns
    FROM activities AS a
    INNER JOIN usual AS u ON u.gpu = a.gpu AND u.name_id = a.name_id
    INNER JOIN "window" AS w ON a.end_ns > w.start_ns AND a.start_ns < w.end_ns
    WHERE
        a.kind = 'compute'
        AND a.end_ns - a.start_ns > greatest(clock_tolerance_ns(), least(1_000_000, long_ns))
),

following AS (
    SELECT
        a.gpu,
        a.start_ns,
        count(c.activity_id) > 0 AS is_staged,
        max(a.launch_start_ns + CASE WHEN c.activity_id IS NULL THEN 0 ELSE 230_000 END) AS ready_ns
    FROM activities AS a
    LEFT JOIN copies AS c
        ON c.activity_id = a.activity_id AND c.pageable AND c.direction = 'Host-to-Device' AND c.bytes > 65536
    WHERE EXISTS (FROM long_activities)
    GROUP BY a.gpu, a.start_ns
),

followed AS (
    SELECT
        a.*,
        b.ready_ns,
        (b.is_staged OR a.length_ns > a.long_ns)
        AND b.ready_ns >= a.end_ns - least(clock_tolerance_ns(), 0.1 * a.length_ns)
        AND b.start_ns - a.end_ns < CASE WHEN a.length_ns > 10 * a.short_ns THEN 3 ELSE 0.1 END * a.length_ns AS fills_a_gap
    FROM long_activities AS a
    ASOF LEFT JOIN following AS b ON b.gpu = a.gpu AND a.end_ns <= b.start_ns
),

queries AS (
    SELECT pid, end_ns, in_vain, lag(in_vain) OVER (PARTITION BY global_tid ORDER BY start_ns) AS after_one_in_vain
    FROM calls
    WHERE family = 'query' AND EXISTS (FROM followed WHERE fills_a_gap)
),

waits AS (
    SELECT pid, end_ns
    FROM calls
    WHERE (family = 'sync' OR end_ns - start_ns > clock_tolerance_ns()) AND EXISTS (FROM followed WHERE fills_a_gap)
    UNION ALL
    SELECT pid, end_ns FROM queries WHERE after_one_in_vain AND NOT in_vain
),

unawaited AS (
    SELECT f.activity_id, f.gpu, f.name_id, f.length_ns
    FROM followed AS f
    ASOF LEFT JOIN waits AS w ON w.pid = f.pid AND f.ready_ns >= w.end_ns
    WHERE f.fills_a_gap AND (w.end_ns IS NULL OR w.end_ns < f.end_ns - clock_tolerance_ns())
),

as_long AS (
    SELECT f.gpu, f.name_id, count(*) AS activities, any_value(u.activities) AS unawaited
    FROM (SELECT gpu, name_id, min(length_ns) AS least_ns, count(*) AS activities FROM unawaited GROUP BY gpu, name_id) AS u
    INNER JOIN followed AS f ON f.gpu = u.gpu AND f.name_id = u.name_id AND f.length_ns >= u.least_ns
    GROUP BY f.gpu, f.name_id
)

SELECT u.activity_id, u.length_ns
FROM unawaited AS u
INNER JOIN as_long AS l ON l.gpu = u.gpu AND l.name_id = u.name_id AND l.unawaited >= 0.5 * l.activities
QUALIFY sum(u.length_ns) OVER () >= 0.01 * (SELECT length_ns FROM "window");

COMMENT ON TABLE stretched_activities IS 'long kernels that end as the next one can start, which did not wait for them; empty for a sound trace';
COMMENT ON COLUMN stretched_activities.length_ns IS 'how long it takes, ns';
