-- When each rank came to a collective. A collective's kernel waits on the GPU for the ranks that are not there
-- yet: until the last has come it only waits. Ranks in the same report are matched by kernel name and by time:
-- of those of another GPU that run at the same time, the one that ends closest to it.
CREATE TABLE collectives AS
WITH nccl AS (
    SELECT op_id, gpu, name_id, start_ns, end_ns FROM window_ops WHERE kind = 'communication'
),

others AS (
    SELECT gpu, name_id, start_ns, end_ns FROM ops WHERE kind = 'communication'
),

-- Cells of time as long as a collective, so that each lies in two or three: it is compared with what shares one, not with all.
cells AS (
    SELECT 1 + CAST(avg(end_ns - start_ns) AS BIGINT) AS ns FROM others
),

pairs AS (
    SELECT a.op_id, b.gpu, b.start_ns
    FROM (SELECT n.*, c.ns, unnest(range(n.start_ns // c.ns, n.end_ns // c.ns + 1)) AS cell FROM nccl AS n, cells AS c) AS a
    INNER JOIN (SELECT o.*, unnest(range(o.start_ns // c.ns, o.end_ns // c.ns + 1)) AS cell FROM others AS o, cells AS c) AS b
        ON b.name_id = a.name_id AND b.cell = a.cell AND b.gpu <> a.gpu AND b.start_ns < a.end_ns AND b.end_ns > a.start_ns
    -- of those that two share, the first
    WHERE a.cell = greatest(a.start_ns, b.start_ns) // a.ns
    QUALIFY row_number() OVER (PARTITION BY a.op_id, b.gpu ORDER BY abs(b.end_ns - a.end_ns)) = 1
)

SELECT
    a.op_id,
    a.gpu,
    a.start_ns,
    a.end_ns,
    count(p.gpu) AS peers,
    least(a.end_ns, greatest(a.start_ns, coalesce(max(p.start_ns), a.start_ns))) AS all_arrived_ns,
    arg_max(p.gpu, p.start_ns) AS last_gpu
FROM nccl AS a
LEFT JOIN pairs AS p ON p.op_id = a.op_id
GROUP BY a.op_id, a.gpu, a.start_ns, a.end_ns;

COMMENT ON TABLE collectives IS 'communication ops of the window, with the arrival of the other ranks that the report holds';
COMMENT ON COLUMN collectives.op_id IS 'as in ops';
COMMENT ON COLUMN collectives.gpu IS 'physical GPU';
COMMENT ON COLUMN collectives.start_ns IS 'start inside the window, ns';
COMMENT ON COLUMN collectives.end_ns IS 'end inside the window, ns';
COMMENT ON COLUMN collectives.peers IS 'number of other GPUs on which it was found; 0 where this report holds one rank';
COMMENT ON COLUMN collectives.all_arrived_ns IS 'when the last rank came, ns; until then it only waits';
COMMENT ON COLUMN collectives.last_gpu IS 'the GPU that came last';
