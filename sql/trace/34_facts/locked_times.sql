-- When some thread that launches kernels waits for a lock, on the track of its process.
-- reads: cover, launcher_lock_waits
CREATE TABLE locked_times AS
FROM cover('launcher_lock_waits');

COMMENT ON TABLE locked_times IS 'when some thread that launches kernels waits for a lock';
