-- One row for each process that launches kernels, and of whose activities none is recorded: nsys lost them.
-- reads: activities, call_families, calls, launches_kernel, missing_activities
CREATE TABLE unrecorded_processes AS
SELECT c.pid, count(*) AS calls
FROM calls AS c
INNER JOIN call_families AS f ON f.string_id = c.name_id
WHERE
    launches_kernel(f.name)
    AND c.pid NOT IN (SELECT pid FROM activities)
    AND EXISTS (FROM missing_activities WHERE kind = 'kernels')
GROUP BY c.pid;

COMMENT ON TABLE unrecorded_processes IS 'processes of which no activities were recorded, although they launch kernels';
COMMENT ON COLUMN unrecorded_processes.calls IS 'number of calls that launch a kernel';
