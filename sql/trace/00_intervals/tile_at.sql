-- Looks up in which tile each time lies.
--
-- Input: the names of two relations. `points` has (id, track, at_ns). `tiles` has (id, track, start_ns, end_ns). Output: for each
-- point its id, and tile_id: of the tiles that have begun the last one, NULL where that one has ended or none has begun.
CREATE MACRO tile_at(points, tiles) AS TABLE
    FROM query_table('tile_at(' || points || ', ' || tiles || ')');
