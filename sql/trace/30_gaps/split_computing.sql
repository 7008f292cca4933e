-- The time in which a process that drives several GPUs computes on any of them.
-- reads: cover, split_compute
CREATE TABLE split_computing AS
FROM cover('split_compute');

COMMENT ON TABLE split_computing IS 'when processes compute on any of their several GPUs, merged by process';
