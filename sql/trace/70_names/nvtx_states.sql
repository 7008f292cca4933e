-- The innermost NVTX range at each instant, with its path.
-- reads: trace.nvtx_paths, trace.nvtx_states
CREATE VIEW main.nvtx_states AS
SELECT n.*, n.end_ns - n.start_ns AS length_ns, p.path AS nvtx
FROM trace.nvtx_states AS n
LEFT JOIN trace.nvtx_paths AS p ON p.range_id = n.range_id;

COMMENT ON VIEW main.nvtx_states IS 'the innermost NVTX range of each process''s main thread at each instant, with its path';
COMMENT ON COLUMN main.nvtx_states.nvtx IS 'path of the range';
