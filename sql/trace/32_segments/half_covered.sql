-- Macro `half_covered`: whether tiles cover at least half of an interval. It aggregates the parts that intersect_tiles makes
-- of it.
CREATE MACRO half_covered(tile_id, length_ns) AS sum(length_ns) FILTER (tile_id IS NOT NULL) >= 0.5 * sum(length_ns);
