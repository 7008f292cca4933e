-- One row for each NVTX range and each name on its path that speaks for a cause. The name of the step itself does not: a range
-- "batch 17" is the whole iteration.
-- reads: name_patterns, paths, patterns_of_name, range_paths, window
CREATE TABLE cause_ranges AS
WITH every_name AS (
    SELECT DISTINCT unnest(names) AS name, unnest(called) AS called FROM paths
),

spoken AS (
    SELECT e.name, e.called, p.cause, bool_and(p.refutable) AS refutable, bool_or(p.of_library) AS of_library
    FROM (SELECT *, unnest(patterns_of_name(name)) AS pattern FROM every_name) AS e
    INNER JOIN name_patterns AS p ON p.pattern = e.pattern
    WHERE e.called IS DISTINCT FROM (SELECT step_name FROM "window")
    GROUP BY e.name, e.called, p.cause
)

SELECT r.range_id, s.cause, s.name, s.called, s.refutable, s.of_library
FROM paths AS p
INNER JOIN spoken AS s ON list_contains(p.names, s.name)
INNER JOIN range_paths AS r ON r.path_id = p.path_id;

COMMENT ON TABLE cause_ranges IS 'NVTX ranges under names that speak for a cause';
COMMENT ON COLUMN cause_ranges.name IS 'the name, of the range or of one around it';
COMMENT ON COLUMN cause_ranges.called IS 'what the name is called, as in called_names';
COMMENT ON COLUMN cause_ranges.refutable IS 'true where the name counts only if nothing refutes it';
COMMENT ON COLUMN cause_ranges.of_library IS 'true for names that a library gives';
