-- What no op covers before each op begins: the source of gaps, dropped after them. All ops that began before count; where each
-- ended, and was launched, after the one before it, the last of them tells of all, and a running maximum over a million takes as
-- long again. So ops are first told by the one before them alone.
CREATE TABLE uncovered AS
SELECT
    op_id,
    CAST(gpu AS INTEGER) AS gpu,
    pid,
    global_tid,
    launch_start_ns,
    launch_end_ns,
    coalesce(lag(end_ns) OVER before, (SELECT start_ns FROM "window")) AS from_ns,
    start_ns AS to_ns,
    lag(launch_end_ns) OVER before AS launched_until_ns,
    -- the op before it still tells of later ones
    coalesce(lag(end_ns) OVER before > end_ns, false)
    OR coalesce(lag(launch_end_ns) OVER before > launch_end_ns, lag(launch_end_ns) OVER before IS NOT NULL) AS outlasted,
    -- so many that few blocks have an op that is outlasted, and few ops share theirs with one
    CAST(row_number() OVER before // 64 AS INTEGER) AS block
-- with one byte for the GPU a row's key has 16, and is sorted in four fifths of the time
FROM (SELECT * REPLACE (CAST(gpu AS UTINYINT) AS gpu) FROM window_ops)
WINDOW before AS (PARTITION BY gpu ORDER BY start_ns, op_id)
QUALIFY to_ns > from_ns OR outlasted;

-- The ops of which an earlier one tells more than the one before them: all in blocks in which an op is outlasted, and in later
-- blocks as many as that reaches.
CREATE TABLE outlasted_ops AS
WITH outlasting AS (
    SELECT gpu, block, max(from_ns) AS ends_ns, max(launched_until_ns) AS launch_ends_ns
    FROM uncovered
    WHERE outlasted
    GROUP BY gpu, block
),

blocks AS (
    SELECT gpu, unnest(range(max(block) + 1)) AS block
    FROM uncovered
    WHERE gpu IN (SELECT gpu FROM outlasting)
    GROUP BY gpu
),

reached AS (
    SELECT
        b.gpu, b.block, o.block IS NOT NULL AS outlasted,
        max(o.ends_ns) OVER earlier AS until_ns, max(o.launch_ends_ns) OVER earlier AS launched_until_ns
    FROM blocks AS b
    LEFT JOIN outlasting AS o ON o.gpu = b.gpu AND o.block = b.block
    WINDOW earlier AS (PARTITION BY b.gpu ORDER BY b.block ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    QUALIFY outlasted OR until_ns IS NOT NULL
)

SELECT
    u.* REPLACE (
        greatest(r.until_ns, max(u.from_ns) OVER begun) AS from_ns,
        greatest(r.launched_until_ns, max(u.launched_until_ns) OVER begun) AS launched_until_ns
    )
FROM uncovered AS u
INNER JOIN reached AS r ON r.gpu = u.gpu AND r.block = u.block
WHERE
    r.outlasted
    OR r.until_ns > u.from_ns
    OR coalesce(r.launched_until_ns > u.launched_until_ns, r.launched_until_ns IS NOT NULL)
WINDOW begun AS (PARTITION BY u.gpu, u.block ORDER BY u.to_ns, u.op_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW);

DELETE FROM uncovered WHERE op_id IN (SELECT op_id FROM outlasted_ops);
INSERT INTO uncovered FROM outlasted_ops WHERE to_ns > from_ns;
DROP TABLE outlasted_ops;
