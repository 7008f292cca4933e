-- Calls that submit GPU work, beside the work that was recorded. Where nearly all calls of a kind have none, its table is
-- missing or cut off. A tenth may be without: of the memsets of healthy_gemm 4 % are. Calls that were captured into a CUDA
-- graph are too, so where graphs were captured, only these are looked for.
CREATE TABLE lost_ops AS
WITH submitting AS (
    SELECT
        string_id,
        CASE
            WHEN regexp_matches(name, '^cu(da)?Launch(Kernel|Cooperative)') THEN 'kernels'
            WHEN regexp_matches(name, '^cu(da)?Memcpy') THEN 'copies'
            WHEN regexp_matches(name, '^cu(da)?Memset') THEN 'fills'
            WHEN regexp_matches(name, '^cu(da)?GraphLaunch') THEN 'CUDA graphs'
        END AS kind
    FROM call_families
),

-- counted in the export: of a million calls the view takes four times as long
names AS (
    SELECT nameId AS name_id, count(*) AS times
    FROM export.CUPTI_ACTIVITY_KIND_RUNTIME
    WHERE is_interval("start", "end")
    GROUP BY nameId
),

called AS (
    SELECT s.kind, CAST(sum(n.times) AS BIGINT) AS calls
    FROM names AS n
    INNER JOIN submitting AS s ON s.string_id = n.name_id
    WHERE s.kind IS NOT NULL
    GROUP BY s.kind
),

graphs AS (
    SELECT c.pid, c.correlation_id
    FROM calls AS c
    INNER JOIN submitting AS s ON s.string_id = c.name_id
    WHERE s.kind = 'CUDA graphs'
),

held AS (
    SELECT 'kernels' AS kind, count(*) AS held FROM export.CUPTI_ACTIVITY_KIND_KERNEL WHERE is_interval("start", "end")
    UNION ALL
    SELECT CASE WHEN direction = 'Fill' THEN 'fills' ELSE 'copies' END AS kind, count(*) FROM copies GROUP BY kind
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
WHERE coalesce(r.held, 0) < 0.9 * c.calls
    -- where a part of the trace is read, it holds calls whose ops it does not
    AND (SELECT window_from_ns FROM choices) IS NULL
    AND (
        c.kind = 'CUDA graphs'
        OR NOT EXISTS (FROM names WHERE name_id IN (SELECT string_id FROM call_families WHERE name LIKE 'cu%StreamBeginCapture%'))
    );

COMMENT ON TABLE lost_ops IS 'kinds of GPU work that calls submitted and the trace does not hold';
COMMENT ON COLUMN lost_ops.kind IS 'kernels, copies, fills or CUDA graphs';
COMMENT ON COLUMN lost_ops.calls IS 'number of calls that submit one';
COMMENT ON COLUMN lost_ops.recorded IS 'number that was recorded';
