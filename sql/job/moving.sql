-- How long data moves on each rank in the window of the job, and how much of it nothing hides.
CREATE VIEW moving AS
WITH moved AS (
    SELECT
        m.rank,
        m.op_id,
        greatest(0, m.end_ns - greatest(m.start_ns, m.start_ns + t.all_arrived_ns - m.ref_start_ns)) AS moving_ns
    FROM members AS m
    INNER JOIN matches AS t ON t.match_id = m.match_id
    WHERE m.end_ns > (SELECT min(b.from_ns) FROM bounds AS b WHERE b.rank = m.rank)
        AND m.end_ns <= (SELECT max(b.to_ns) FROM bounds AS b WHERE b.rank = m.rank)
),

bare AS (
    SELECT rank, op_id, sum(exposed_ns - waiting_ns) AS exposed_ns FROM waits GROUP BY rank, op_id
)

SELECT m.rank, CAST(sum(m.moving_ns) AS BIGINT) AS moving_ns, CAST(coalesce(sum(b.exposed_ns), 0) AS BIGINT) AS exposed_ns
FROM moved AS m
LEFT JOIN bare AS b ON b.rank = m.rank AND b.op_id = m.op_id
GROUP BY m.rank;

-- A collective in the middle of a step's compute, which nothing hides and whose result the next kernel needs, is how tensor
-- parallelism works: so many of them, between as many pieces of compute.
CREATE VIEW serial_teams AS
WITH inside AS (
    SELECT m.team, m.rank, m.match_id, m.kind, m.end_ns, m.op_id
    FROM members AS m
    INNER JOIN bounds AS b ON b.rank = m.rank AND m.end_ns > b.from_ns AND m.end_ns <= b.to_ns
    WHERE NOT m.point_to_point
),

worked AS (
    SELECT i.team, i.kind, i.rank, i.match_id, coalesce(l.ns, 0) AS compute_ns, coalesce(w.exposed_ns, 0) AS exposed_ns
    FROM inside AS i
    LEFT JOIN segment_ledger AS l ON l.rank = i.rank AND l.until_ns = i.end_ns AND l.cause = 'compute'
    LEFT JOIN waits AS w ON w.rank = i.rank AND w.op_id = i.op_id
)

SELECT
    team,
    any_value(kind) AS kind,
    count(*) / (SELECT count(*) FROM bounds) AS times_per_step,
    avg(CAST(compute_ns > 0 AND exposed_ns > 0 AS INTEGER)) AS serial_share
FROM worked
GROUP BY team;

COMMENT ON VIEW moving IS 'data moving between ranks, in the window of the job';
COMMENT ON COLUMN moving.rank IS 'number of the rank';
COMMENT ON COLUMN moving.moving_ns IS 'time of its collectives from when all ranks had come, ns';
COMMENT ON COLUMN moving.exposed_ns IS 'of it, time in which nothing computes, ns';
COMMENT ON VIEW serial_teams IS 'whether the collectives of a team alternate with compute';
COMMENT ON COLUMN serial_teams.team IS 'as in members';
COMMENT ON COLUMN serial_teams.kind IS 'AllReduce, …';
COMMENT ON COLUMN serial_teams.times_per_step IS 'collectives of a rank in a step';
COMMENT ON COLUMN serial_teams.serial_share IS 'share of them that are exposed, with compute before them, 0 to 1';
