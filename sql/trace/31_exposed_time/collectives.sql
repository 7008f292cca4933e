-- One row for each communication activity of the analysed time: when the other ranks came to it. The kernel of a collective
-- waits on its GPU until the last rank has come. Ranks in one report are matched by the kernel's name, by the communicator if
-- NCCL says it of all of them, and by time: of such activities that run on another GPU at the same time, the one that ends
-- closest.
-- reads: activities, analysed_activities, communication_kinds
CREATE TABLE collectives AS
WITH communicators AS (
    SELECT activity_id, CASE WHEN bool_and(communicator IS NOT NULL) OVER () THEN communicator ELSE '' END AS communicator
    FROM communication_kinds
),

own AS (
    SELECT a.activity_id, a.gpu, a.name_id, a.start_ns, a.end_ns, k.communicator
    FROM analysed_activities AS a
    INNER JOIN communicators AS k ON k.activity_id = a.activity_id
    WHERE a.kind = 'communication'
),

every_collective AS (
    SELECT a.gpu, a.name_id, a.start_ns, a.end_ns, k.communicator
    FROM activities AS a
    INNER JOIN communicators AS k ON k.activity_id = a.activity_id
    WHERE a.kind = 'communication'
),

candidate_peers AS (
    SELECT o.*, g.gpu AS other_gpu
    FROM own AS o
    INNER JOIN (SELECT DISTINCT gpu FROM every_collective) AS g ON g.gpu <> o.gpu
),

closest AS (
    SELECT a.*, e.start_ns AS other_start_ns, e.end_ns AS other_end_ns
    FROM candidate_peers AS a
    ASOF INNER JOIN every_collective AS e
        ON e.gpu = a.other_gpu AND e.name_id = a.name_id AND e.communicator = a.communicator AND a.end_ns >= e.end_ns
    UNION ALL
    SELECT a.*, e.start_ns, e.end_ns
    FROM candidate_peers AS a
    ASOF INNER JOIN every_collective AS e
        ON e.gpu = a.other_gpu AND e.name_id = a.name_id AND e.communicator = a.communicator AND a.end_ns < e.end_ns
),

peers AS (
    SELECT activity_id, other_gpu, other_start_ns
    FROM closest
    WHERE other_start_ns < end_ns AND other_end_ns > start_ns
    QUALIFY row_number() OVER (PARTITION BY activity_id, other_gpu ORDER BY abs(other_end_ns - end_ns)) = 1
)

SELECT
    o.activity_id,
    o.gpu,
    o.start_ns,
    o.end_ns,
    count(p.other_gpu) AS peers,
    least(o.end_ns, greatest(o.start_ns, max(p.other_start_ns))) AS all_arrived_ns,
    arg_max(p.other_gpu, (p.other_start_ns, p.other_gpu)) AS last_gpu
FROM own AS o
LEFT JOIN peers AS p ON p.activity_id = o.activity_id
GROUP BY o.activity_id, o.gpu, o.start_ns, o.end_ns;

COMMENT ON TABLE collectives IS 'communication activities of the analysed time, with the arrival of the other ranks that the report holds';
COMMENT ON COLUMN collectives.start_ns IS 'start inside of the analysed time, ns';
COMMENT ON COLUMN collectives.end_ns IS 'end inside of the analysed time, ns';
COMMENT ON COLUMN collectives.peers IS 'number of other GPUs on which it was found; 0 where this report holds one rank';
COMMENT ON COLUMN collectives.all_arrived_ns IS 'when the last rank came, ns; until then the activity only waits';
COMMENT ON COLUMN collectives.last_gpu IS 'of the other GPUs, the one that came last; NULL where there is none';
