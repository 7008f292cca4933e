-- One row for each process that takes the requests of one other process, which takes them from nobody else.
-- reads: frontends
CREATE TABLE sole_frontends AS
SELECT pid, worker_pid
FROM frontends
QUALIFY count(*) OVER (PARTITION BY pid) = 1 AND count(*) OVER (PARTITION BY worker_pid) = 1;

COMMENT ON TABLE sole_frontends IS 'processes that take requests for one other process';
COMMENT ON COLUMN sole_frontends.pid IS 'process that takes the requests';
COMMENT ON COLUMN sole_frontends.worker_pid IS 'process that does the work';
