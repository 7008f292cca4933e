-- One row for each kind of activity that is missing: fewer than 90 % of the launched ones were recorded, or 98 % of the kernels,
-- because their table is absent or cut off. Some are not recorded in sound traces either: 4 % of the memsets of healthy_gemm, 1 %
-- of the kernels of layers_on_four_gpus, what is captured into a CUDA graph, and what was still queued as the capture ended.
-- Where graphs are captured, only whole graphs are looked for. What the program waited for is not queued any more. A call with no
-- bytes to copy or to set submits nothing.
-- reads: activities, call_families, calls, copies, graph_launches, kernels, launches_kernel, partly_read, stream_syncs
-- reads: submits_ns
CREATE TABLE missing_activities AS
WITH launching AS (
    SELECT
        string_id,
        CASE
            WHEN launches_kernel(name) THEN 'kernels'
            WHEN regexp_matches(name, '^cu(da)?Memcpy') THEN 'copies'
            WHEN regexp_matches(name, '^cu(da)?Memset') THEN 'memsets'
            WHEN regexp_matches(name, '^cu(da)?GraphLaunch') THEN 'CUDA graphs'
        END AS kind
    FROM call_families
),

waited AS (
    SELECT pid, max(start_ns) AS last_sync_ns FROM stream_syncs WHERE stream IS NULL GROUP BY pid
),

-- the last launch of each process that was run in the capture or waited for, and the end of what ran last
ran AS (
    SELECT a.pid, greatest(max(a.launch_start_ns), any_value(w.last_sync_ns)) AS last_launch_ns, max(a.end_ns) AS end_ns
    FROM activities AS a
    LEFT JOIN waited AS w ON w.pid = a.pid
    GROUP BY a.pid
),

names AS (
    SELECT
        c.name_id,
        count(*) FILTER (WHERE c.end_ns - c.start_ns >= submits_ns()) AS times,
        -- what was launched later than that, while the GPU still worked, may have been queued
        count(*) FILTER (
            WHERE c.end_ns - c.start_ns >= submits_ns() AND c.start_ns > r.last_launch_ns AND c.start_ns <= r.end_ns
        ) AS queued
    FROM calls AS c
    LEFT JOIN ran AS r ON r.pid = c.pid
    GROUP BY c.name_id
),

called AS (
    SELECT s.kind, CAST(sum(n.times) AS BIGINT) AS calls, CAST(sum(n.queued) AS BIGINT) AS queued
    FROM names AS n
    INNER JOIN launching AS s ON s.string_id = n.name_id
    WHERE s.kind IS NOT NULL
    GROUP BY s.kind
),

graphs AS (
    SELECT c.pid, c.correlation_id
    FROM calls AS c
    INNER JOIN launching AS s ON s.string_id = c.name_id
    WHERE s.kind = 'CUDA graphs'
),

held AS (
    SELECT 'kernels' AS kind, count(*) AS held FROM kernels
    UNION ALL
    SELECT CASE WHEN direction = 'Memset' THEN 'memsets' ELSE 'copies' END AS kind, count(*) FROM copies GROUP BY kind
    UNION ALL
    SELECT 'CUDA graphs', count(*)
    FROM graphs
    WHERE (pid, correlation_id) IN (
        SELECT (pid, correlation_id) FROM graph_launches
        UNION ALL
        SELECT (pid, correlation_id) FROM kernels WHERE EXISTS (FROM graphs)
    )
)

SELECT c.kind, c.calls, coalesce(r.held, 0) AS recorded
FROM called AS c
LEFT JOIN held AS r ON r.kind = c.kind
WHERE
    coalesce(r.held, 0)
    < CASE c.kind WHEN 'kernels' THEN 0.98 ELSE 0.9 END * CASE WHEN r.held > 0 THEN c.calls - c.queued ELSE c.calls END
    -- a part of a trace holds calls whose activities lie outside of it
    AND NOT EXISTS (FROM partly_read)
    AND (
        c.kind = 'CUDA graphs'
        OR NOT EXISTS (FROM names WHERE name_id IN (SELECT string_id FROM call_families WHERE name LIKE 'cu%StreamBeginCapture%'))
    );

COMMENT ON TABLE missing_activities IS 'kinds of activities that were launched and are not in the trace';
COMMENT ON COLUMN missing_activities.kind IS 'kernels, copies, memsets or CUDA graphs';
COMMENT ON COLUMN missing_activities.calls IS 'number of calls that launch one';
COMMENT ON COLUMN missing_activities.recorded IS 'number that was recorded';
