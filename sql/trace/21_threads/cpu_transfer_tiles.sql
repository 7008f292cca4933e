-- The time in which Gloo moves data of a process.
-- reads: cover, cpu_transfers
CREATE TABLE cpu_transfer_tiles AS
FROM cover('cpu_transfers');

COMMENT ON TABLE cpu_transfer_tiles IS 'when Gloo moves data, merged by process';
