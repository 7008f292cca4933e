-- How long each op of the window of the job moves data, and how much of it nothing hides.
CREATE VIEW moves AS
WITH spans AS (
    SELECT rank, min(from_ns) AS from_ns, max(to_ns) AS to_ns FROM bounds GROUP BY rank
),

bare AS (
    SELECT rank, op_id, sum(exposed_ns - waiting_ns) AS exposed_ns FROM waits GROUP BY rank, op_id
)

SELECT
    m.rank,
    m.op_id,
    m.team,
    m.kind,
    m.end_ns,
    m.point_to_point,
    greatest(0, m.end_ns - greatest(m.start_ns, m.start_ns + t.all_arrived_ns - m.ref_start_ns)) AS moving_ns,
    coalesce(b.exposed_ns, 0) AS exposed_ns
FROM members AS m
INNER JOIN matches AS t ON t.match_id = m.match_id
INNER JOIN spans AS s ON s.rank = m.rank AND m.end_ns > s.from_ns AND m.end_ns <= s.to_ns
LEFT JOIN bare AS b ON b.rank = m.rank AND b.op_id = m.op_id;

CREATE VIEW moving AS
SELECT rank, CAST(sum(moving_ns) AS BIGINT) AS moving_ns, CAST(sum(exposed_ns) AS BIGINT) AS exposed_ns
FROM moves
GROUP BY rank;

-- A collective in the middle of a step's compute, which nothing hides and whose result the next kernel needs, is how tensor
-- parallelism works: so many of them, between as many pieces of compute.
CREATE VIEW serial_teams AS
SELECT
    m.team,
    any_value(m.kind) AS kind,
    count(*) / (SELECT count(*) FROM bounds) AS times_per_step,
    avg(CAST(coalesce(l.ns, 0) > 0 AND m.exposed_ns >= 0.5 * m.moving_ns AND m.exposed_ns > 0 AS INTEGER)) AS serial_share
FROM moves AS m
LEFT JOIN segment_ledger AS l ON l.rank = m.rank AND l.until_ns = m.end_ns AND l.cause = 'compute'
WHERE NOT m.point_to_point
GROUP BY m.team;

COMMENT ON VIEW moves IS 'communication ops in the window of the job, and how long they move data';
COMMENT ON COLUMN moves.rank IS 'number of the rank';
COMMENT ON COLUMN moves.op_id IS 'the op, in the trace of the rank';
COMMENT ON COLUMN moves.team IS 'as in members';
COMMENT ON COLUMN moves.kind IS 'as in members';
COMMENT ON COLUMN moves.end_ns IS 'end, ns on the rank''s own clock';
COMMENT ON COLUMN moves.point_to_point IS 'as in members';
COMMENT ON COLUMN moves.moving_ns IS 'time from when all ranks had come, ns';
COMMENT ON COLUMN moves.exposed_ns IS 'of it, time in which nothing computes, ns';
COMMENT ON VIEW moving IS 'data moving between ranks, in the window of the job';
COMMENT ON COLUMN moving.rank IS 'number of the rank';
COMMENT ON COLUMN moving.moving_ns IS 'time of its collectives from when all ranks had come, ns';
COMMENT ON COLUMN moving.exposed_ns IS 'of it, time in which nothing computes, ns';
COMMENT ON VIEW serial_teams IS 'whether the collectives of a team alternate with compute';
COMMENT ON COLUMN serial_teams.team IS 'as in members';
COMMENT ON COLUMN serial_teams.kind IS 'AllReduce, …';
COMMENT ON COLUMN serial_teams.times_per_step IS 'collectives of a rank in a step';
COMMENT ON COLUMN serial_teams.serial_share IS 'share of them that are exposed, with compute before them, 0 to 1';
