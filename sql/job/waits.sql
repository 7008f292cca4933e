-- The exposed time of each communication op, split where the last rank came: before, it waited; from then on, data moved. What
-- has no counterpart on another rank counts as moving data, since nothing tells its waiting.
CREATE TABLE waits AS
WITH arrived AS (
    SELECT
        m.match_id,
        m.rank,
        m.op_id,
        m.point_to_point,
        -- on the rank's own clock
        least(m.end_ns, greatest(m.start_ns, m.start_ns + t.all_arrived_ns - m.ref_start_ns)) AS all_arrived_ns
    FROM members AS m
    INNER JOIN matches AS t ON t.match_id = m.match_id
)

SELECT
    e.rank,
    e.until_ns,
    e.op_id,
    a.match_id,
    coalesce(a.point_to_point, false) AS point_to_point,
    CAST(sum(greatest(0, least(e.end_ns, coalesce(a.all_arrived_ns, e.start_ns)) - e.start_ns)) AS BIGINT) AS waiting_ns,
    CAST(sum(e.end_ns - e.start_ns) AS BIGINT) AS exposed_ns
FROM (SELECT * FROM losses WHERE op_id IS NOT NULL) AS e
LEFT JOIN arrived AS a ON a.rank = e.rank AND a.op_id = e.op_id
GROUP BY e.rank, e.until_ns, e.op_id, a.match_id, a.point_to_point;

-- Every piece of lost time of a segment, with the waiting as a cause of its own. A stage of a pipeline waits for its turn, which is
-- the pipeline's way and nobody's fault: `pipeline_bubble`.
CREATE VIEW segment_losses AS
SELECT rank, until_ns, cause, lost_ns FROM losses WHERE op_id IS NULL
UNION ALL
SELECT rank, until_ns, CASE WHEN point_to_point THEN 'pipeline_bubble' ELSE 'rank_imbalance' END, waiting_ns
FROM waits
WHERE waiting_ns > 0
UNION ALL
SELECT rank, until_ns, 'communication', exposed_ns - waiting_ns FROM waits WHERE exposed_ns > waiting_ns;

-- The whole of each segment: its lost time, and the rest, in which the GPU computes.
CREATE TABLE segment_ledger AS
WITH lost AS (
    SELECT rank, until_ns, cause, CAST(sum(lost_ns) AS BIGINT) AS ns FROM segment_losses GROUP BY rank, until_ns, cause
)

SELECT rank, until_ns, cause, ns FROM lost
UNION ALL
SELECT s.rank, s.until_ns, 'compute', CAST(s.until_ns - s.start_ns - coalesce(sum(l.ns), 0) AS BIGINT)
FROM segments AS s
LEFT JOIN lost AS l ON l.rank = s.rank AND l.until_ns = s.until_ns
GROUP BY s.rank, s.start_ns, s.until_ns;

COMMENT ON TABLE waits IS 'exposed communication of each segment: how much of it waits for a rank';
COMMENT ON COLUMN waits.rank IS 'number of the rank';
COMMENT ON COLUMN waits.until_ns IS 'the segment';
COMMENT ON COLUMN waits.op_id IS 'the communication op';
COMMENT ON COLUMN waits.match_id IS 'as in members; NULL where it was found on no other rank';
COMMENT ON COLUMN waits.point_to_point IS 'as in members';
COMMENT ON COLUMN waits.waiting_ns IS 'exposed time before the last rank came, ns';
COMMENT ON COLUMN waits.exposed_ns IS 'all its exposed time, ns';
COMMENT ON VIEW segment_losses IS 'lost time of each segment, waiting for ranks told from moving data';
COMMENT ON COLUMN segment_losses.rank IS 'number of the rank';
COMMENT ON COLUMN segment_losses.until_ns IS 'the segment';
COMMENT ON COLUMN segment_losses.cause IS 'id of the cause, or pipeline_bubble';
COMMENT ON COLUMN segment_losses.lost_ns IS 'time lost, ns';
COMMENT ON TABLE segment_ledger IS 'the ledger of each segment: compute and all causes add up to its length';
COMMENT ON COLUMN segment_ledger.rank IS 'number of the rank';
COMMENT ON COLUMN segment_ledger.until_ns IS 'the segment';
COMMENT ON COLUMN segment_ledger.cause IS 'compute, id of a cause, or pipeline_bubble';
COMMENT ON COLUMN segment_ledger.ns IS 'time, ns';
