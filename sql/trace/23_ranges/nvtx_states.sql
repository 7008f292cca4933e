-- The NVTX ranges of each process's main thread, flattened: at each instant the innermost one.
-- reads: flatten, main_ranges
CREATE TABLE nvtx_states AS
SELECT CAST(track AS INTEGER) AS pid, start_ns, end_ns, CAST(id AS INTEGER) AS range_id
FROM flatten('main_ranges');

COMMENT ON TABLE nvtx_states IS 'the innermost NVTX range of each process''s main thread at each instant';
COMMENT ON COLUMN nvtx_states.range_id IS 'the innermost range, in main_ranges and nvtx_paths; NULL outside of all';
