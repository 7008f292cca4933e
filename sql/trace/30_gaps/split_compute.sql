-- The kernels of processes that drive several GPUs, as intervals of the process. Those of other GPUs count where options.device
-- leaves one.
-- reads: activities
CREATE TABLE split_compute AS
SELECT activity_id AS id, pid AS track, start_ns, end_ns
FROM activities
WHERE
    kind = 'compute'
    AND pid IN (SELECT pid FROM activities WHERE kind = 'compute' GROUP BY pid HAVING count(DISTINCT gpu) > 1);

COMMENT ON TABLE split_compute IS 'kernels of processes that drive several GPUs';
COMMENT ON COLUMN split_compute.id IS 'activity_id of activities';
COMMENT ON COLUMN split_compute.track IS 'process id';
