/* cause
meaning = "pages of managed memory moved between the CPU and the GPU"
usual_fix = "Prefetch managed memory before it is touched, or use device memory and explicit copies from pinned memory."
color = "#5b7f95"
color_dark = "#8fb8cf"

[[states]]
state = "migration"
priority = 31

[remove]
states = ["migration"]
*/

-- The CPU's page faults and its calls that prefetch are a state. How long a page fault takes is inferred: see fetched_pages. Here
-- also: migrations while nothing computes, and work that was launched in time and waits for one.
-- reads: migrations, segments
CREATE VIEW rules_page_migration AS
SELECT segment_id, 30 AS priority, 'inferred' AS basis
FROM segments
WHERE state = 'migration' AND name_id IS NULL
UNION ALL
SELECT s.segment_id, 13, 'seen'
FROM segments AS s
INNER JOIN migrations AS m ON m.activity_id = s.activity_id
WHERE s.state = 'copy'
UNION ALL
SELECT s.segment_id, 64, 'seen'
FROM segments AS s
INNER JOIN migrations AS m ON m.activity_id = s.gap_id
WHERE s.state IN ('queued', 'stalled');

-- reads: migrations, window, window_segments
CREATE VIEW fix_page_migration AS
WITH moved AS (
    SELECT
        sum(CASE WHEN m.by_prefetch THEN m.bytes ELSE 0 END) AS prefetched_bytes,
        sum(m.bytes) AS bytes
    FROM migrations AS m, "window" AS w
    WHERE m.end_ns > w.start_ns AND m.start_ns < w.end_ns
),

lost AS (
    SELECT
        sum(CASE WHEN state = 'migration' AND name_id IS NOT NULL THEN end_ns - start_ns ELSE 0 END) AS prefetching_ns,
        sum(CASE WHEN state = 'migration' AND name_id IS NULL THEN end_ns - start_ns ELSE 0 END) AS touching_ns,
        sum(end_ns - start_ns) AS lost_ns
    FROM window_segments
    WHERE cause = 'page_migration'
)

SELECT
    CASE
        WHEN coalesce(prefetched_bytes >= 0.5 * bytes, false) OR prefetching_ns >= 0.5 * lost_ns
            THEN
                'Prefetch the pages on a side stream while the kernels before still run, in few large ranges, and leave on the '
                || 'GPU what the CPU does not touch: each cudaMemPrefetchAsync also takes CPU time.'
        WHEN touching_ns >= 0.5 * lost_ns
            THEN
                'The CPU touches managed memory page by page, and waits for each. Prefetch it to the CPU before '
                || '(cudaMemPrefetchAsync), or copy the result into pinned memory with one cudaMemcpyAsync.'
        ELSE
            'Kernels touch managed memory that is on the CPU, and wait for each page. Prefetch it to the GPU before the launch '
            || '(cudaMemPrefetchAsync), or use device memory and copy from pinned memory.'
    END AS fix
FROM moved, lost;

-- A kernel that waits for its pages runs, so that its waiting counts as compute. Page faults of a GPU are served one after the
-- other; a row of them may begin a little before the last one ends.
-- reads: count_of, migrations, recorded_faults, window_activities
CREATE VIEW notes_page_migration AS
WITH touching AS (
    SELECT * FROM window_activities WHERE kind = 'compute' AND EXISTS (FROM migrations)
),

kernels_touching AS (
    SELECT count(DISTINCT a.activity_id) AS kernels, count(DISTINCT m.activity_id) AS migrations
    FROM migrations AS m
    INNER JOIN touching AS a ON a.gpu = m.gpu AND m.start_ns >= a.start_ns AND m.start_ns < a.end_ns
    WHERE NOT m.to_host AND NOT m.by_prefetch
),

gpu_faults AS (
    SELECT gpu, start_ns, least(end_ns, lead(start_ns, 1, end_ns) OVER (PARTITION BY gpu ORDER BY start_ns)) AS end_ns
    FROM recorded_faults
    WHERE gpu IS NOT NULL
),

waited AS (
    SELECT sum(least(f.end_ns, k.end_ns) - f.start_ns) AS waited_ns
    FROM gpu_faults AS f
    ASOF INNER JOIN touching AS k ON k.gpu = f.gpu AND f.start_ns >= k.start_ns
    WHERE f.start_ns < k.end_ns
)

SELECT
    format(
        '{} ran inside of {}, which waited: that time counts as compute here. {}',
        count_of(migrations, 'page migration'),
        count_of(kernels, 'kernel'),
        CASE
            WHEN waited_ns IS NULL
                THEN 'How long they waited is not in the trace: `gapfinder capture --page-faults` records it.'
            ELSE format('Page faults of the GPU were served for {:.1f} ms of it.', waited_ns / 1e6)
        END
    ) AS note
FROM kernels_touching, waited
WHERE migrations > 0;
