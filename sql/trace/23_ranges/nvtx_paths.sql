-- One row for each range of main_ranges, with its path.
-- reads: paths, range_paths
CREATE VIEW nvtx_paths AS
SELECT r.range_id, p.path, p.depth
FROM range_paths AS r
INNER JOIN paths AS p ON p.path_id = r.path_id;

COMMENT ON VIEW nvtx_paths IS 'the path of each NVTX range from the outermost to itself';
COMMENT ON COLUMN nvtx_paths.depth IS '1 for an outermost range';
