-- One row for each NVTX range whose name, or the name of a range around it, speaks for a cause. The name of the step itself
-- does not count: a range "batch 17" is the whole iteration.
-- reads: name_patterns, paths, range_paths, window
CREATE TABLE named_ranges AS
WITH spoken AS (
    SELECT p.path_id, n.cause
    FROM paths AS p, name_patterns AS n, "window" AS w
    WHERE len(list_filter(
        string_split(p.path, ' > '),
        LAMBDA name: name IS DISTINCT FROM w.step_name AND regexp_matches(name, n.pattern, 'i')
    )) > 0
)

SELECT DISTINCT n.range_id, s.cause
FROM range_paths AS n
INNER JOIN spoken AS s ON s.path_id = n.path_id;

COMMENT ON TABLE named_ranges IS 'NVTX ranges whose names speak for a cause';
COMMENT ON COLUMN named_ranges.range_id IS 'the range, in nvtx_events';
COMMENT ON COLUMN named_ranges.cause IS 'id of the cause';
