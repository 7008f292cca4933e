-- Cuts intervals wherever a tile begins or ends, and says in which tile each part lies.
--
-- Input: the names of two relations (id, track, start_ns, end_ns). Intervals of `pieces` may overlap; tiles of one track do not.
-- Output: parts (id, track, start_ns, end_ns, tile_id): id and track are those of the piece, and tile_id is that of the tile that
-- covers the part, NULL where none does. The parts of an interval add up to it. Intervals of no length are left out.
CREATE MACRO intersect_tiles(pieces, tiles) AS TABLE
    FROM query_table('intersect_tiles(' || pieces || ', ' || tiles || ')');
