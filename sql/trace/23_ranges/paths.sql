-- One row for each path that an NVTX range has: the names of the ranges that were open when it began, the outermost first, and
-- its own.
-- reads: called_names, main_ranges, range_paths
CREATE TABLE paths AS
WITH RECURSIVE known AS (
    SELECT path_id, any_value(outer_path_id) AS outer_path_id, any_value(depth) AS depth, min(range_id) AS range_id
    FROM range_paths
    GROUP BY path_id
),

named AS (
    SELECT k.path_id, k.outer_path_id, k.depth, e.name, c.called
    FROM known AS k
    INNER JOIN main_ranges AS e ON e.id = k.range_id
    INNER JOIN called_names AS c ON c.name = e.name
),

found AS (
    SELECT path_id, name AS path, [name] AS names, [called] AS called, depth FROM named WHERE outer_path_id IS NULL
    UNION ALL
    SELECT n.path_id, o.path || ' > ' || n.name, list_append(o.names, n.name), list_append(o.called, n.called), n.depth
    FROM found AS o
    INNER JOIN named AS n ON n.outer_path_id = o.path_id
)

SELECT path_id, path, names, called, depth
FROM found;

COMMENT ON TABLE paths IS 'the paths of NVTX ranges';
COMMENT ON COLUMN paths.path IS 'names from the outermost range to this one, joined by " > "; at most 64';
COMMENT ON COLUMN paths.names IS 'these names as a list';
COMMENT ON COLUMN paths.called IS 'what they are called, as in called_names, as a list';
COMMENT ON COLUMN paths.depth IS 'number of these names';
