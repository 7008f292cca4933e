-- One row: the GPU and the process with the most kernels and graphs. Steps are told by what they launch there.
-- reads: activities
CREATE TABLE busiest_gpu AS
SELECT pid, gpu
FROM activities
WHERE kind = 'compute'
GROUP BY pid, gpu
ORDER BY count(*) DESC, gpu, pid
LIMIT 1;

COMMENT ON TABLE busiest_gpu IS 'the GPU and the process with the most kernels and graphs: one row, or none';
