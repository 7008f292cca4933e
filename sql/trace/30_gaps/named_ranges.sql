-- One row for each NVTX range whose name, or the name of a range around it, speaks for a cause. The name of the step itself
-- does not count: a range "batch 17" is the whole iteration.
-- reads: name_patterns, paths, range_paths, window
CREATE TABLE named_ranges AS
WITH every_name AS (
    SELECT DISTINCT unnest(names) AS name, unnest(called) AS called FROM paths
),

spoken AS (
    SELECT e.name, p.cause
    FROM every_name AS e
    INNER JOIN name_patterns AS p ON regexp_matches(e.name, p.pattern, 'i')
    WHERE e.called IS DISTINCT FROM (SELECT step_name FROM "window")
),

named_paths AS (
    SELECT DISTINCT p.path_id, s.cause
    FROM paths AS p
    INNER JOIN spoken AS s ON list_contains(p.names, s.name)
)

SELECT r.range_id, n.cause
FROM range_paths AS r
INNER JOIN named_paths AS n ON n.path_id = r.path_id;

COMMENT ON TABLE named_ranges IS 'NVTX ranges whose names speak for a cause';
COMMENT ON COLUMN named_ranges.range_id IS 'the range, in main_ranges';
COMMENT ON COLUMN named_ranges.cause IS 'id of the cause';
