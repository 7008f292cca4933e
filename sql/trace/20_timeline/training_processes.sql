-- One row for each process that trains: it has the thread that runs PyTorch's backward passes, or launches kernels of an
-- optimizer. What such a process waits for is its input. Of other frameworks nothing tells.
-- reads: activities, optimizer_kernels, threads
CREATE VIEW training_processes AS
SELECT pid FROM threads WHERE starts_with(name, 'pt_autograd')
UNION
SELECT pid FROM activities WHERE name_id IN (FROM optimizer_kernels);

COMMENT ON VIEW training_processes IS 'processes that train';
COMMENT ON COLUMN training_processes.pid IS 'process id';
