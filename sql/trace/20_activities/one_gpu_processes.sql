-- One row for each process that works on one GPU alone: a call that waits for all streams waits for those of one device, and does
-- not say which device that is.
-- reads: recorded_activities
CREATE TABLE one_gpu_processes AS
SELECT pid, count(*) AS activities
FROM recorded_activities
GROUP BY pid
HAVING count(DISTINCT gpu) = 1;

COMMENT ON TABLE one_gpu_processes IS 'processes that work on one GPU alone';
COMMENT ON COLUMN one_gpu_processes.activities IS 'number of its activities';
