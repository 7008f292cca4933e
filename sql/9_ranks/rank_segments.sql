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

-- Lost time lies in one slice at a time, so each end cuts at most one.
CREATE VIEW rank_pieces AS
WITH cuts AS (
    SELECT s.slice_id, e.until_ns AS at_ns
    FROM rank_ends AS e
    ASOF INNER JOIN settled AS s ON s.gpu = e.gpu AND e.until_ns > s.start_ns
    WHERE e.until_ns < s.end_ns
),

points AS (
    SELECT slice_id, start_ns AS at_ns FROM settled WHERE gpu IN (SELECT gpu FROM ranks)
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
    INNER JOIN settled AS s ON s.slice_id = p.slice_id
)

SELECT p.gpu, e.until_ns, CAST(p.cause AS VARCHAR) AS cause, p.op_id, p.start_ns, p.end_ns
FROM pieces AS p
ASOF INNER JOIN rank_ends AS e ON e.gpu = p.gpu AND p.start_ns < e.until_ns;

CREATE VIEW rank_losses AS
SELECT gpu, until_ns, cause, CAST(sum(end_ns - start_ns) AS BIGINT) AS lost_ns
FROM rank_pieces
WHERE op_id IS NULL
GROUP BY gpu, until_ns, cause;

CREATE VIEW rank_exposures AS
SELECT gpu, until_ns, op_id, start_ns, end_ns FROM rank_pieces WHERE op_id IS NOT NULL;

-- To tell a rank that computes more from one that computes slower.
CREATE VIEW rank_kernels AS
SELECT
    o.gpu,
    coalesce(t.text, 'CUDA graph') AS name,
    count(*) AS times,
    CAST(sum(o.end_ns - o.start_ns) AS BIGINT) AS gpu_ns
FROM window_ops AS o
LEFT JOIN strings AS t ON t.string_id = o.name_id
WHERE o.kind = 'compute' AND o.gpu IN (SELECT gpu FROM ranks)
GROUP BY o.gpu, t.text;

COMMENT ON VIEW rank_ends IS 'when communication ops of each rank end, in the window';
COMMENT ON COLUMN rank_ends.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_ends.until_ns IS 'end, ns since the session began';
COMMENT ON VIEW rank_segments IS 'the window of each rank, in pieces from one end of communication to the next';
COMMENT ON COLUMN rank_segments.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_segments.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN rank_segments.until_ns IS 'end, and the key of the segment, ns';
COMMENT ON VIEW rank_pieces IS 'lost time of each rank, cut at the ends of segments';
COMMENT ON COLUMN rank_pieces.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_pieces.until_ns IS 'the segment';
COMMENT ON COLUMN rank_pieces.cause IS 'id of the cause';
COMMENT ON COLUMN rank_pieces.op_id IS 'the exposed communication op; NULL for all other lost time';
COMMENT ON COLUMN rank_pieces.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN rank_pieces.end_ns IS 'end, ns';
COMMENT ON VIEW rank_losses IS 'lost time of each segment by cause, without exposed communication';
COMMENT ON COLUMN rank_losses.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_losses.until_ns IS 'the segment';
COMMENT ON COLUMN rank_losses.cause IS 'id of the cause';
COMMENT ON COLUMN rank_losses.lost_ns IS 'time lost, ns';
COMMENT ON VIEW rank_exposures IS 'communication of each segment while nothing computes';
COMMENT ON COLUMN rank_exposures.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_exposures.until_ns IS 'the segment';
COMMENT ON COLUMN rank_exposures.op_id IS 'the communication op';
COMMENT ON COLUMN rank_exposures.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN rank_exposures.end_ns IS 'end, ns';
COMMENT ON VIEW rank_kernels IS 'computing kernels of each rank in the window';
COMMENT ON COLUMN rank_kernels.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_kernels.name IS 'short name';
COMMENT ON COLUMN rank_kernels.times IS 'number of runs';
COMMENT ON COLUMN rank_kernels.gpu_ns IS 'time of all runs, ns';
