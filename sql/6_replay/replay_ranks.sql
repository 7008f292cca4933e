-- What the replay of one rank must know of the others.
CREATE VIEW replay_ranks AS
WITH ranks AS (
    SELECT DISTINCT gpu FROM ops WHERE op_id IN (SELECT op_id FROM collectives WHERE peers > 0)
),

own AS (
    SELECT DISTINCT o.gpu FROM op_totals AS o INNER JOIN replay_window AS w ON w.pid = o.pid
),

exposed AS (
    SELECT CAST(coalesce(sum(s.end_ns - s.start_ns), 0) AS BIGINT) AS exposed_ns
    FROM settled AS s
    INNER JOIN replay_window AS w ON w.pid = s.pid AND s.start_ns >= w.start_ns AND s.start_ns < w.end_ns
    WHERE s.cause = 'communication'
)

SELECT
    coalesce(avg(d.compute_ns) / avg(CASE WHEN d.gpu IN (FROM own) THEN d.compute_ns END), 1.0) AS fair_factor,
    any_value(e.exposed_ns) AS exposed_ns
FROM exposed AS e
LEFT JOIN devices AS d ON d.gpu IN (FROM ranks);

COMMENT ON VIEW replay_ranks IS 'what the replay of one rank must know of the others: one row';
COMMENT ON COLUMN replay_ranks.fair_factor IS 'what the ranks compute on average, by what the replayed one computes';
COMMENT ON COLUMN replay_ranks.exposed_ns IS 'communication of the replayed rank while nothing computed, ns, in the replayed steps';
