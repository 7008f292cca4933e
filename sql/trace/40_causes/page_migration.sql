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

-- The CPU's page faults and its calls that prefetch are a state. Here: migrations while nothing computes, and work that was
-- launched in time and waits for one.
-- reads: migrations, segments
CREATE VIEW rules_page_migration AS
SELECT s.segment_id, 13 AS priority, 'seen' AS basis
FROM segments AS s
INNER JOIN migrations AS m ON m.activity_id = s.activity_id
WHERE s.state = 'copy'
UNION ALL
SELECT s.segment_id, 64, 'seen'
FROM segments AS s
INNER JOIN migrations AS m ON m.activity_id = s.gap_id
WHERE s.state IN ('queued', 'stalled');

-- reads: migrations, window
CREATE VIEW fix_page_migration AS
WITH moved AS (
    SELECT m.by_prefetch, m.to_host
    FROM migrations AS m, "window" AS w
    WHERE m.end_ns > w.start_ns AND m.start_ns < w.end_ns
    GROUP BY m.by_prefetch, m.to_host
    ORDER BY sum(m.bytes) DESC
    LIMIT 1
)

SELECT
    CASE
        WHEN by_prefetch
            THEN
                'Prefetch the pages on a side stream while the kernels before still run, in few large ranges, and leave on the '
                || 'GPU what the CPU does not touch: each cudaMemPrefetchAsync also takes CPU time.'
        WHEN to_host
            THEN
                'The CPU touches managed memory page by page, and waits for each. Prefetch it to the CPU before '
                || '(cudaMemPrefetchAsync), or copy the result into pinned memory with one cudaMemcpyAsync.'
        ELSE
            'Kernels touch managed memory that is on the CPU, and wait for each page. Prefetch it to the GPU before the launch '
            || '(cudaMemPrefetchAsync), or use device memory and copy from pinned memory.'
    END AS fix
FROM moved;

-- A kernel that waits for its pages runs, so that its waiting counts as compute.
-- reads: count_of, migrations, window_activities
CREATE VIEW notes_page_migration AS
WITH kernels_touching AS (
    SELECT count(DISTINCT a.activity_id) AS kernels, count(DISTINCT m.activity_id) AS migrations
    FROM migrations AS m
    INNER JOIN (SELECT * FROM window_activities WHERE kind = 'compute' AND EXISTS (FROM migrations)) AS a
        ON a.gpu = m.gpu AND m.start_ns >= a.start_ns AND m.start_ns < a.end_ns
    WHERE NOT m.to_host AND NOT m.by_prefetch
)

SELECT
    format(
        '{} ran inside of {}, which waited: that time counts as compute here. '
        || 'How long they waited is not in the trace.',
        count_of(migrations, 'page migration'), count_of(kernels, 'kernel')
    ) AS note
FROM kernels_touching
WHERE migrations > 0;
