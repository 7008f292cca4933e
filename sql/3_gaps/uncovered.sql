-- What no op covers before each op begins: the source of gaps, dropped after them. All ops that began before count; where each
-- ended, and was launched, after the one before it, the last of them tells of all, and a running maximum over a million takes as
-- long again. So ops are first told by the one before them alone.
CREATE TABLE uncovered AS
SELECT
    op_id,
    gpu,
    pid,
    global_tid,
    launch_start_ns,
    launch_end_ns,
    coalesce(lag(end_ns) OVER before, (SELECT start_ns FROM "window")) AS from_ns,
    start_ns AS to_ns,
    lag(launch_end_ns) OVER before AS launched_until_ns,
    -- the op before it still tells of later ones
    coalesce(lag(end_ns) OVER before > end_ns, false)
    OR coalesce(lag(launch_end_ns) OVER before > launch_end_ns, lag(launch_end_ns) OVER before IS NOT NULL) AS outlasted
FROM window_ops
WINDOW before AS (PARTITION BY gpu ORDER BY start_ns, op_id)
QUALIFY to_ns > from_ns OR outlasted;

-- The ops of which an earlier one tells more than the one before them: all in cells of time in which an op is outlasted, and in
-- later ones as many as that reaches.
CREATE TABLE outlasted_ops AS
WITH cells AS (
    -- 64 ops to a cell, so that few share one with what is outlasted
    SELECT
        w.start_ns AS from_ns,
        1 + (w.end_ns - w.start_ns) // (1 + o.ops // 64 // o.gpus) AS length_ns
    FROM (SELECT CAST(sum(ops) AS BIGINT) AS ops, count(DISTINCT gpu) AS gpus FROM op_totals) AS o
    CROSS JOIN "window" AS w
),

outlasting AS (
    SELECT
        u.gpu, (u.to_ns - c.from_ns) // c.length_ns AS cell,
        max(u.from_ns) AS ends_ns, max(u.launched_until_ns) AS launch_ends_ns
    FROM uncovered AS u, cells AS c
    WHERE u.outlasted
    GROUP BY ALL
),

all_cells AS (
    SELECT gpu, unnest(range((SELECT (w.end_ns - w.start_ns) // c.length_ns + 1 FROM cells AS c, "window" AS w))) AS cell
    FROM (SELECT DISTINCT gpu FROM outlasting)
),

reached AS (
    SELECT
        a.gpu, a.cell, o.cell IS NOT NULL AS outlasted,
        max(o.ends_ns) OVER earlier AS until_ns, max(o.launch_ends_ns) OVER earlier AS launched_until_ns
    FROM all_cells AS a
    LEFT JOIN outlasting AS o ON o.gpu = a.gpu AND o.cell = a.cell
    WINDOW earlier AS (PARTITION BY a.gpu ORDER BY a.cell ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    QUALIFY outlasted OR until_ns IS NOT NULL
)

SELECT
    u.* REPLACE (
        greatest(r.until_ns, max(u.from_ns) OVER begun) AS from_ns,
        greatest(r.launched_until_ns, max(u.launched_until_ns) OVER begun) AS launched_until_ns,
        false AS outlasted
    )
FROM uncovered AS u
CROSS JOIN cells AS c
INNER JOIN reached AS r ON r.gpu = u.gpu AND r.cell = (u.to_ns - c.from_ns) // c.length_ns
WHERE
    r.outlasted
    OR r.until_ns > u.from_ns
    OR coalesce(r.launched_until_ns > u.launched_until_ns, r.launched_until_ns IS NOT NULL)
WINDOW begun AS (PARTITION BY r.gpu, r.cell ORDER BY u.to_ns, u.op_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW);

DELETE FROM uncovered WHERE op_id IN (SELECT op_id FROM outlasted_ops);
INSERT INTO uncovered FROM outlasted_ops WHERE to_ns > from_ns;
DROP TABLE outlasted_ops;
