-- The lost time of each stretch: every piece of communication and of rank_imbalance, which the job tells apart anew, and for
-- other causes their sum. Segments of one GPU do not overlap, so each end of a stretch cuts at most one. What lies between two
-- regimes of the window counts, too: a rank may wait for another one that is in a validation.
-- reads: attributed_segments, rank_ends, window
CREATE VIEW rank_losses AS
WITH ends AS MATERIALIZED (
    SELECT * FROM rank_ends
),

own AS MATERIALIZED (
    SELECT s.segment_id, s.gpu, s.cause, s.activity_id, s.start_ns, s.end_ns
    FROM attributed_segments AS s, "window" AS w
    WHERE s.gpu IN (SELECT gpu FROM ends) AND s.start_ns >= w.start_ns AND s.end_ns <= w.end_ns
),

cuts AS (
    SELECT s.segment_id, e.until_ns AS at_ns
    FROM ends AS e
    ASOF INNER JOIN own AS s ON s.gpu = e.gpu AND e.until_ns > s.start_ns
    WHERE e.until_ns < s.end_ns
),

points AS (
    SELECT segment_id, start_ns AS at_ns FROM own
    UNION ALL
    SELECT segment_id, at_ns FROM cuts
),

pieces AS (
    SELECT
        s.gpu,
        s.cause,
        CASE WHEN s.cause IN ('communication', 'rank_imbalance') THEN s.activity_id END AS activity_id,
        p.at_ns AS start_ns,
        coalesce(lead(p.at_ns) OVER (PARTITION BY p.segment_id ORDER BY p.at_ns), s.end_ns) AS end_ns
    FROM points AS p
    INNER JOIN own AS s ON s.segment_id = p.segment_id
),

placed AS MATERIALIZED (
    SELECT p.gpu, e.until_ns, p.cause, p.activity_id, p.start_ns, p.end_ns
    FROM pieces AS p
    ASOF INNER JOIN ends AS e ON e.gpu = p.gpu AND p.start_ns < e.until_ns
)

SELECT gpu, until_ns, cause, activity_id, start_ns, end_ns, end_ns - start_ns AS lost_ns
FROM placed
WHERE activity_id IS NOT NULL
UNION ALL
SELECT gpu, until_ns, cause, NULL, NULL, NULL, CAST(sum(end_ns - start_ns) AS BIGINT)
FROM placed
WHERE activity_id IS NULL
GROUP BY gpu, until_ns, cause;

COMMENT ON VIEW rank_losses IS 'lost time of each stretch: every piece of communication and rank_imbalance, and the sum of each other cause';
COMMENT ON COLUMN rank_losses.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_losses.until_ns IS 'the stretch, as in rank_stretches';
COMMENT ON COLUMN rank_losses.activity_id IS 'the exposed communication activity; NULL for a sum';
COMMENT ON COLUMN rank_losses.start_ns IS 'start, ns since the session began; NULL for a sum';
COMMENT ON COLUMN rank_losses.end_ns IS 'end, ns; NULL for a sum';
COMMENT ON COLUMN rank_losses.lost_ns IS 'time lost, ns';
