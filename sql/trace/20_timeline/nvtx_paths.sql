-- One row for each range of nvtx_events: its path, which is the ranges that were open when it began, the outermost first.
-- reads: nvtx_events, nvtx_states
CREATE TABLE nvtx_paths AS
WITH RECURSIVE parents AS (
    SELECT e.id AS range_id, e.name, s.range_id AS parent_id
    FROM nvtx_events AS e
    ASOF LEFT JOIN nvtx_states AS s ON s.pid = e.track AND e.start_ns > s.start_ns
),

paths AS (
    SELECT range_id, name AS path, 1 AS depth
    FROM parents
    WHERE parent_id IS NULL
    UNION ALL
    SELECT c.range_id, p.path || ' > ' || c.name, p.depth + 1
    FROM paths AS p
    INNER JOIN parents AS c ON c.parent_id = p.range_id
    -- a path that is longer is no use to a reader: ranges below have none
    WHERE p.depth < 64
)

SELECT range_id, path, depth
FROM paths;

COMMENT ON TABLE nvtx_paths IS 'the path of each NVTX range from the outermost to itself';
COMMENT ON COLUMN nvtx_paths.range_id IS 'the range, in nvtx_events';
COMMENT ON COLUMN nvtx_paths.path IS 'names from the outermost range to this one, joined by " > "; at most 64';
COMMENT ON COLUMN nvtx_paths.depth IS '1 for an outermost range';
