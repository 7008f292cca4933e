-- One row for each launch that returned only after its activity had ended, in a process in which nearly all launches do so, as
-- with CUDA_LAUNCH_BLOCKING=1: there all of 39,845 do, in 130 other traces 9 % at most, where the kernel is brief or the thread
-- lost its core.
-- reads: activities
CREATE TABLE blocking_launches AS
WITH blocked AS (
    SELECT pid
    FROM activities
    WHERE kind = 'compute' AND launch_end_ns IS NOT NULL
    GROUP BY pid
    HAVING count_if(launch_end_ns >= end_ns) >= 0.9 * count(*)
)

SELECT pid, global_tid, launch_start_ns, greatest(launch_start_ns, max(start_ns)) AS waits_from_ns, launch_end_ns
FROM activities
WHERE kind <> 'copy' AND pid IN (FROM blocked) AND launch_end_ns >= end_ns
GROUP BY pid, global_tid, launch_start_ns, launch_end_ns;

COMMENT ON TABLE blocking_launches IS 'launches that wait until their activity has ended, in processes in which nearly all do';
COMMENT ON COLUMN blocking_launches.launch_start_ns IS 'CPU start of the call, ns since the session began';
COMMENT ON COLUMN blocking_launches.waits_from_ns IS 'from when on it waits: GPU start of the activity, ns';
COMMENT ON COLUMN blocking_launches.launch_end_ns IS 'CPU end of the call, ns';
