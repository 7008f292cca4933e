-- One row for each segment of CPU code during most of which another thread that launches kernels waits for a lock. Mostly the
-- thread that runs the code holds the lock.
-- reads: half_covered, intersect_tiles, locked_times, run_segments
CREATE TABLE locked_out AS
SELECT CAST(id AS INTEGER) AS segment_id
FROM intersect_tiles('run_segments', 'locked_times')
GROUP BY id
HAVING half_covered(tile_id, end_ns - start_ns);

COMMENT ON TABLE locked_out IS 'segments of CPU code during most of which another thread that launches kernels waits for a lock';
