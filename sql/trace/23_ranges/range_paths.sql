-- One row for each range of main_ranges: which path it has. A trace has many ranges and few paths, so a path is a number here,
-- and `paths` has its text.
-- reads: main_ranges, range_starts, range_tiles, tile_at
CREATE TABLE range_paths AS
WITH RECURSIVE parents AS (
    SELECT e.id AS range_id, e.name, t.tile_id AS parent_id
    FROM main_ranges AS e
    INNER JOIN tile_at('range_starts', 'range_tiles') AS t ON t.id = e.id
),

found AS (
    SELECT range_id, hash(name) AS path_id, CAST(NULL AS UBIGINT) AS outer_path_id, 1 AS depth
    FROM parents
    WHERE parent_id IS NULL
    UNION ALL
    SELECT c.range_id, hash(o.path_id, c.name), o.path_id, o.depth + 1
    FROM found AS o
    INNER JOIN parents AS c ON c.parent_id = o.range_id
    -- a path that is longer is no use to a reader: ranges below have none
    WHERE o.depth < 64
)

SELECT range_id, path_id, outer_path_id, depth
FROM found;

COMMENT ON TABLE range_paths IS 'the path of each NVTX range, as a number';
COMMENT ON COLUMN range_paths.path_id IS 'its path, in paths: a hash of the names from the outermost range to this one';
COMMENT ON COLUMN range_paths.outer_path_id IS 'the path of the range around it; NULL for an outermost range';
COMMENT ON COLUMN range_paths.depth IS '1 for an outermost range';
