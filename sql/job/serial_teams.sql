-- One row for each kind of the collectives of a team: whether they alternate with compute. In tensor parallel jobs the next
-- kernel needs the result of each all-reduce, so a step has many collectives that nothing hides, with compute between them.
-- reads: moves, step_lengths, stretch_ledger
CREATE VIEW serial_teams AS
WITH counted AS (
    SELECT
        m.team,
        m.rank,
        m.kind,
        count(*) AS collectives,
        count(CASE WHEN l.ns > 0 AND m.exposed_ns >= 0.5 * m.moving_ns AND m.exposed_ns > 0 THEN 1 END) AS serial
    FROM moves AS m
    LEFT JOIN stretch_ledger AS l ON l.rank = m.rank AND l.until_ns = m.end_ns AND l.cause = 'compute'
    WHERE NOT m.in_turns
    GROUP BY m.team, m.rank, m.kind
)

SELECT
    c.team,
    c.kind,
    avg(c.collectives) / (SELECT count(*) FROM step_lengths) AS times_per_step,
    sum(c.serial) / sum(c.collectives) AS serial_share
FROM counted AS c
GROUP BY c.team, c.kind;

COMMENT ON VIEW serial_teams IS 'whether the collectives of a team alternate with compute, by kind';
COMMENT ON COLUMN serial_teams.kind IS 'AllReduce, …';
COMMENT ON COLUMN serial_teams.times_per_step IS 'collectives of this kind of a rank in a step';
COMMENT ON COLUMN serial_teams.serial_share IS 'share of them that are exposed, with compute before them, 0 to 1';
