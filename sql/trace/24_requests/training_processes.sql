-- One row for each process that trains: it has the thread that runs PyTorch's backward passes, or launches kernels of an
-- optimizer all the time. What such a process waits for is its input. Of other frameworks nothing tells.
--
-- 3: in so many hundredths of a second, because a server may average its weights with the same kernels when it starts.
-- reads: activities, optimizer_kernels, threads
CREATE TABLE training_processes AS
SELECT pid FROM threads WHERE starts_with(name, 'pt_autograd')
UNION
SELECT pid
FROM activities
WHERE name_id IN (FROM optimizer_kernels)
GROUP BY pid
HAVING count(DISTINCT start_ns // 10000000) >= 3;

COMMENT ON TABLE training_processes IS 'processes that train';
