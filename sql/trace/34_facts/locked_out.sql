-- One row for each segment of CPU code during most of which another thread that launches kernels waits for a lock. Mostly the
-- thread that runs the code holds the lock.
-- reads: covered, launcher_lock_waits, run_segments
CREATE TABLE locked_out AS
SELECT CAST(id AS INTEGER) AS segment_id
FROM covered('run_segments', 'launcher_lock_waits')
WHERE covered_ns >= 0.5 * length_ns;

COMMENT ON TABLE locked_out IS 'segments of CPU code during most of which another thread that launches kernels waits for a lock';
