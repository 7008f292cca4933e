-- Exposed communication and exposed copies: the time in which they run and nothing computes. Communication is cut where the last
-- rank came: until then it waited, and from then on it moved data. And interrupted compute: a kernel that another program
-- interrupts ends later, and does not compute meanwhile.
-- reads: collectives, computing, interruptions, intersect_tiles, transfer_tiles
CREATE TABLE exposed_time AS
WITH exposed AS (
    SELECT p.track, p.start_ns, p.end_ns, p.id, c.all_arrived_ns
    FROM intersect_tiles('transfer_tiles', 'computing') AS p
    LEFT JOIN collectives AS c ON c.activity_id = p.id
    WHERE p.tile_id IS NULL
),

parts AS (
    SELECT track, start_ns, end_ns, 'interrupted' AS kind, tile_id AS id
    FROM intersect_tiles('interruptions', 'computing')
    WHERE tile_id IS NOT NULL
    UNION ALL
    SELECT track, start_ns, end_ns, 'copy', id
    FROM exposed
    WHERE all_arrived_ns IS NULL
    UNION ALL
    SELECT track, start_ns, least(end_ns, all_arrived_ns), 'communication', id
    FROM exposed
    WHERE start_ns < all_arrived_ns
    UNION ALL
    SELECT track, greatest(start_ns, all_arrived_ns), end_ns, 'communication', id
    FROM exposed
    WHERE end_ns > all_arrived_ns
)

SELECT
    CAST(row_number() OVER () AS INTEGER) AS exposed_id,
    CAST(track AS INTEGER) AS gpu,
    start_ns,
    end_ns,
    kind,
    CAST(id AS INTEGER) AS activity_id
FROM parts;

COMMENT ON TABLE exposed_time IS 'exposed communication, exposed copies and interrupted compute: while they run, nothing computes';
COMMENT ON COLUMN exposed_time.exposed_id IS 'unique number';
COMMENT ON COLUMN exposed_time.kind IS 'communication, copy or interrupted';
COMMENT ON COLUMN exposed_time.activity_id IS 'the activity, in activities; of several at once the one that began last';
