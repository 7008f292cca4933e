-- One row for each range of nvtx_events: its path, which is the ranges that were open when it began, the outermost first.
-- reads: nvtx_events, nvtx_states
CREATE TABLE nvtx_paths AS
WITH RECURSIVE starts AS (
    SELECT e.id AS range_id, e.name, s.range_id AS parent
    FROM nvtx_events AS e
    ASOF LEFT JOIN nvtx_states AS s ON s.pid = e.track AND e.start_ns > s.start_ns
),

paths AS (
    SELECT range_id, parent, name AS path, 1 AS depth
    FROM starts
    UNION ALL
    SELECT p.range_id, s.parent, s.name || ' > ' || p.path, p.depth + 1
    FROM paths AS p
    INNER JOIN starts AS s ON s.range_id = p.parent
    WHERE p.depth < 16
)

SELECT range_id, arg_max(path, depth) AS path, max(depth) AS depth
FROM paths
GROUP BY range_id;

COMMENT ON TABLE nvtx_paths IS 'the path of each NVTX range from the outermost to itself';
COMMENT ON COLUMN nvtx_paths.range_id IS 'the range, in nvtx_events';
COMMENT ON COLUMN nvtx_paths.path IS 'names from the outermost range to this one, joined by " > "; at most 16';
COMMENT ON COLUMN nvtx_paths.depth IS '1 for an outermost range';
