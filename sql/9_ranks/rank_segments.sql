-- The window of each rank, cut wherever one of its communication ops ends: there all ranks of the op are at the same point.
CREATE VIEW rank_ends AS
SELECT DISTINCT gpu, end_ns AS until_ns FROM rank_collectives WHERE in_window;

CREATE VIEW rank_segments AS
SELECT
    e.gpu,
    coalesce(lag(e.until_ns) OVER (PARTITION BY e.gpu ORDER BY e.until_ns), w.start_ns) AS start_ns,
    e.until_ns
FROM rank_ends AS e
CROSS JOIN "window" AS w;

-- What is lost in each segment: of exposed communication every piece, of all else the sum by cause. Lost time lies in one slice
-- at a time, so each end cuts at most one.
CREATE VIEW rank_losses AS
WITH ends AS MATERIALIZED (
    SELECT * FROM rank_ends
),

own AS MATERIALIZED (
    SELECT slice_id, gpu, cause, op_id, start_ns, end_ns FROM settled WHERE gpu IN (SELECT gpu FROM ends)
),

cuts AS (
    SELECT s.slice_id, e.until_ns AS at_ns
    FROM ends AS e
    ASOF INNER JOIN own AS s ON s.gpu = e.gpu AND e.until_ns > s.start_ns
    WHERE e.until_ns < s.end_ns
),

points AS (
    SELECT slice_id, start_ns AS at_ns FROM own
    UNION ALL
    SELECT slice_id, at_ns FROM cuts
),

pieces AS (
    SELECT
        s.gpu,
        s.cause,
        CASE WHEN s.cause IN ('communication', 'rank_imbalance') THEN s.op_id END AS op_id,
        p.at_ns AS start_ns,
        coalesce(lead(p.at_ns) OVER (PARTITION BY p.slice_id ORDER BY p.at_ns), s.end_ns) AS end_ns
    FROM points AS p
    INNER JOIN own AS s ON s.slice_id = p.slice_id
),

placed AS MATERIALIZED (
    SELECT p.gpu, e.until_ns, p.cause, p.op_id, p.start_ns, p.end_ns
    FROM pieces AS p
    ASOF INNER JOIN ends AS e ON e.gpu = p.gpu AND p.start_ns < e.until_ns
)

SELECT gpu, until_ns, CAST(cause AS VARCHAR) AS cause, op_id, start_ns, end_ns, end_ns - start_ns AS lost_ns
FROM placed
WHERE op_id IS NOT NULL
UNION ALL
SELECT gpu, until_ns, CAST(cause AS VARCHAR), NULL, NULL, NULL, CAST(sum(end_ns - start_ns) AS BIGINT)
FROM placed
WHERE op_id IS NULL
GROUP BY gpu, until_ns, cause;

-- To tell a rank that computes more from one that computes slower.
CREATE VIEW rank_kernels AS
SELECT
    o.gpu,
    coalesce(t.text, 'CUDA graph') AS name,
    count(*) AS times,
    CAST(sum(o.end_ns - o.start_ns) AS BIGINT) AS gpu_ns
FROM window_ops AS o
LEFT JOIN strings AS t ON t.string_id = o.name_id
WHERE o.kind = 'compute' AND o.gpu IN (SELECT gpu FROM rank_gpus)
GROUP BY o.gpu, t.text;

-- Streams on which a rank both communicates and computes: there the one waits for the other, whatever the program wants.
CREATE VIEW rank_shared_streams AS
SELECT gpu, stream
FROM window_ops
WHERE gpu IN (SELECT gpu FROM rank_gpus)
GROUP BY gpu, pid, stream
HAVING bool_or(kind = 'communication') AND bool_or(kind = 'compute');

COMMENT ON VIEW rank_ends IS 'when communication ops of each rank end, in the window';
COMMENT ON COLUMN rank_ends.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_ends.until_ns IS 'end, ns since the session began';
COMMENT ON VIEW rank_segments IS 'the window of each rank, in pieces from one end of communication to the next';
COMMENT ON COLUMN rank_segments.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_segments.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN rank_segments.until_ns IS 'end, and the key of the segment, ns';
COMMENT ON VIEW rank_losses IS 'lost time of each segment: every piece of exposed communication, and of all else the sum by cause';
COMMENT ON COLUMN rank_losses.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_losses.until_ns IS 'the segment';
COMMENT ON COLUMN rank_losses.cause IS 'id of the cause';
COMMENT ON COLUMN rank_losses.op_id IS 'the exposed communication op; NULL for a sum';
COMMENT ON COLUMN rank_losses.start_ns IS 'start, ns since the session began; NULL for a sum';
COMMENT ON COLUMN rank_losses.end_ns IS 'end, ns; NULL for a sum';
COMMENT ON COLUMN rank_losses.lost_ns IS 'time lost, ns';
COMMENT ON VIEW rank_kernels IS 'computing kernels of each rank in the window';
COMMENT ON COLUMN rank_kernels.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_kernels.name IS 'short name';
COMMENT ON COLUMN rank_kernels.times IS 'number of runs';
COMMENT ON COLUMN rank_kernels.gpu_ns IS 'time of all runs, ns';
COMMENT ON VIEW rank_shared_streams IS 'streams on which a rank both communicates and computes in the window';
COMMENT ON COLUMN rank_shared_streams.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_shared_streams.stream IS 'CUDA stream';
