-- Calls that launch activities, by kind, where the activities of more than a tenth of them were not recorded: their table is
-- missing or cut off. A tenth may lack them: 4 % of the memsets of healthy_gemm do. So do calls that are captured into a CUDA
-- graph; where graphs are captured, only whole graphs are looked for.
-- reads: call_families, calls, copies, graph_launches, kernels, options
CREATE TABLE missing_activities AS
WITH launching AS (
    SELECT
        string_id,
        CASE
            WHEN regexp_matches(name, '^cu(da)?Launch(Kernel|Cooperative)') THEN 'kernels'
            WHEN regexp_matches(name, '^cu(da)?Memcpy') THEN 'copies'
            WHEN regexp_matches(name, '^cu(da)?Memset') THEN 'memsets'
            WHEN regexp_matches(name, '^cu(da)?GraphLaunch') THEN 'CUDA graphs'
        END AS kind
    FROM call_families
),

names AS (
    SELECT name_id, count(*) AS times FROM calls GROUP BY name_id
),

called AS (
    SELECT s.kind, CAST(sum(n.times) AS BIGINT) AS calls
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
WHERE coalesce(r.held, 0) < 0.9 * c.calls
    -- where a part of the trace is read, it holds calls whose activities it does not
    AND (SELECT window_from_ns FROM options) IS NULL
    AND (
        c.kind = 'CUDA graphs'
        OR NOT EXISTS (FROM names WHERE name_id IN (SELECT string_id FROM call_families WHERE name LIKE 'cu%StreamBeginCapture%'))
    );

COMMENT ON TABLE missing_activities IS 'kinds of GPU work that calls submitted and the trace does not hold';
COMMENT ON COLUMN missing_activities.kind IS 'kernels, copies, memsets or CUDA graphs';
COMMENT ON COLUMN missing_activities.calls IS 'number of calls that submit one';
COMMENT ON COLUMN missing_activities.recorded IS 'number that was recorded';
