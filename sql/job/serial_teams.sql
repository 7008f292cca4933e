-- Whether the collectives of a team alternate with compute. In tensor parallel jobs the next kernel needs the result of each
-- all-reduce, so a step has many collectives that nothing hides, with compute between them.
-- reads: bounds, moves, stretch_ledger
CREATE VIEW serial_teams AS
SELECT
    m.team,
    any_value(m.kind) AS kind,
    count(*) / (SELECT count(*) FROM bounds) AS times_per_step,
    avg(CAST(coalesce(l.ns, 0) > 0 AND m.exposed_ns >= 0.5 * m.moving_ns AND m.exposed_ns > 0 AS INTEGER)) AS serial_share
FROM moves AS m
LEFT JOIN stretch_ledger AS l ON l.rank = m.rank AND l.until_ns = m.end_ns AND l.cause = 'compute'
WHERE NOT m.point_to_point
GROUP BY m.team;

COMMENT ON VIEW serial_teams IS 'whether the collectives of a team alternate with compute';
COMMENT ON COLUMN serial_teams.team IS 'as in members';
COMMENT ON COLUMN serial_teams.kind IS 'AllReduce, …';
COMMENT ON COLUMN serial_teams.times_per_step IS 'collectives of a rank in a step';
COMMENT ON COLUMN serial_teams.serial_share IS 'share of them that are exposed, with compute before them, 0 to 1';
