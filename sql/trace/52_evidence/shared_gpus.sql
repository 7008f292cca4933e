-- One row for each GPU on which several processes of the trace compute: without MPS they take turns, in time slices.
-- reads: activity_totals
CREATE TABLE shared_gpus AS
SELECT gpu, count(*) AS processes
FROM (
    SELECT gpu, sum(gpu_ns) AS own_ns, sum(own_ns) OVER (PARTITION BY gpu) AS all_ns
    FROM activity_totals
    WHERE kind = 'compute'
    GROUP BY gpu, pid
)
-- a process that computes for less, as one that only prepares something, slows no other down
WHERE own_ns >= 0.05 * all_ns
GROUP BY gpu
HAVING count(*) > 1;

COMMENT ON TABLE shared_gpus IS 'GPUs on which several processes of the trace compute';
COMMENT ON COLUMN shared_gpus.processes IS 'number of processes that compute on it for 5 % of its compute time and more';
