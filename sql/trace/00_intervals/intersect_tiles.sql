-- Cuts intervals wherever a tile begins or ends, and says in which tile each piece lies.
--
-- Input: the names of two relations. `pieces` has track, start_ns, end_ns and any other columns; its intervals may overlap.
-- `tiles` has (id, track, start_ns, end_ns); tiles of one track do not overlap. Output: the columns of `pieces`, cut, and
-- tile_id: the tile that covers the piece, NULL where none does. The pieces of an interval add up to it. Intervals of no length
-- are left out.
CREATE MACRO intersect_tiles(pieces, tiles) AS TABLE
    WITH followed AS (
        SELECT id, track, start_ns, end_ns, lead(start_ns) OVER (PARTITION BY track ORDER BY start_ns) AS next_ns
        FROM query_table(tiles)
        WHERE end_ns > start_ns
    ),

    -- from each edge to the next one a tile holds, or none does
    edges AS (
        SELECT track, start_ns AS at_ns, id FROM followed
        UNION ALL
        SELECT track, end_ns, NULL FROM followed WHERE next_ns IS NULL OR end_ns < next_ns
        UNION ALL
        SELECT DISTINCT track, -9223372036854775807, NULL FROM followed
    ),

    numbered AS (
        SELECT track, at_ns, id, lead(at_ns) OVER edge AS until_ns, row_number() OVER edge AS place
        FROM edges
        WINDOW edge AS (PARTITION BY track ORDER BY at_ns)
    ),

    -- most intervals end in the tile in which they begin
    begun AS MATERIALIZED (
        SELECT p.*, n.place AS tile_place, n.until_ns AS tile_until_ns, n.id AS tile_id
        FROM (SELECT * FROM query_table(pieces) WHERE end_ns > start_ns) AS p
        ASOF LEFT JOIN numbered AS n ON n.track = p.track AND p.start_ns >= n.at_ns
    ),

    crossing AS (
        SELECT b.* EXCLUDE (tile_until_ns, tile_id, tile_place), unnest(range(b.tile_place, l.place + 1)) AS tile_place
        FROM (SELECT * FROM begun WHERE tile_until_ns < end_ns) AS b
        ASOF INNER JOIN (SELECT track, at_ns, place FROM numbered) AS l ON l.track = b.track AND b.end_ns > l.at_ns
    )

    SELECT * EXCLUDE (tile_place, tile_until_ns)
    FROM begun
    WHERE coalesce(tile_until_ns >= end_ns, true)
    UNION ALL BY NAME
    SELECT
        c.* EXCLUDE (tile_place) REPLACE (greatest(c.start_ns, n.at_ns) AS start_ns, least(c.end_ns, n.until_ns) AS end_ns),
        n.id AS tile_id
    FROM crossing AS c
    INNER JOIN numbered AS n ON n.track = c.track AND n.place = c.tile_place;
