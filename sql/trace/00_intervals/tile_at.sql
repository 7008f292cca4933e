-- Looks up in which tile each time lies.
--
-- Input: the names of two relations. `points` has track, at_ns and any other columns. `tiles` has (id, track, start_ns, end_ns);
-- tiles of one track do not overlap. Output: the columns of `points`, and tile_id: the tile that has begun and not ended at that
-- time, NULL where none has.
CREATE MACRO tile_at(points, tiles) AS TABLE
    SELECT p.*, CASE WHEN t.end_ns > p.at_ns THEN t.id END AS tile_id
    FROM query_table(points) AS p
    ASOF LEFT JOIN (SELECT id, track, start_ns, end_ns FROM query_table(tiles) WHERE end_ns > start_ns) AS t
        ON t.track = p.track AND p.at_ns >= t.start_ns;
