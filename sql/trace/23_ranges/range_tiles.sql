-- The innermost NVTX range of each process's main thread at each instant, as tiles of the process.
-- reads: nvtx_states
CREATE VIEW range_tiles AS
SELECT range_id AS id, pid AS track, start_ns, end_ns
FROM nvtx_states
WHERE range_id IS NOT NULL;

COMMENT ON VIEW range_tiles IS 'nvtx_states as tiles of the process';
COMMENT ON COLUMN range_tiles.id IS 'range_id of nvtx_states';
COMMENT ON COLUMN range_tiles.track IS 'process';
