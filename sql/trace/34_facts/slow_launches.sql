-- One row for each gap that ends with a launch of 1 ms and more: the GPU was idle, so that nothing blocked it. Others take 3 to
-- 50 us. CUPTI says where the queue was full after all.
--
-- The first run of a kernel loads its code: in 7 programs all 79 such launches were the first of their kernel. In a program that
-- shared 16 cores with 80 processes 73 of 74 were not. Then the thread had no core.
-- reads: activities, gaps, kernels, overheads
CREATE TABLE slow_launches AS
WITH slow AS MATERIALIZED (
    SELECT
        g.gap_id, a.gpu, a.pid, a.global_tid, a.start_ns, a.launch_start_ns,
        a.launch_end_ns - a.launch_start_ns AS launch_ns
    FROM (SELECT * FROM activities WHERE kind = 'compute' AND launch_end_ns - launch_start_ns >= 1000000) AS a
    INNER JOIN gaps AS g ON g.gap_id = a.activity_id
    ANTI JOIN (SELECT * FROM overheads WHERE kind = 'queue_full') AS o
        ON o.global_tid = a.global_tid AND o.start_ns >= a.launch_start_ns AND o.end_ns <= a.launch_end_ns
),

runs AS MATERIALIZED (
    SELECT activity_id, pid, gpu, function_id, start_ns
    FROM kernels
    WHERE function_id IS NOT NULL AND EXISTS (FROM slow)
),

first_runs AS (
    SELECT pid, gpu, function_id, min(start_ns) AS start_ns FROM runs GROUP BY pid, gpu, function_id
)

SELECT s.gap_id, s.global_tid, s.launch_start_ns, s.launch_ns, coalesce(f.start_ns >= s.start_ns, true) AS loads_code
FROM slow AS s
LEFT JOIN runs AS r ON r.activity_id = s.gap_id
LEFT JOIN first_runs AS f ON f.pid = r.pid AND f.gpu = r.gpu AND f.function_id = r.function_id;

COMMENT ON TABLE slow_launches IS 'gaps that end with a launch of 1 ms and more';
COMMENT ON COLUMN slow_launches.global_tid IS 'the launching thread, in threads';
COMMENT ON COLUMN slow_launches.launch_start_ns IS 'CPU start of the launch, ns';
COMMENT ON COLUMN slow_launches.launch_ns IS 'how long the launch took, ns';
COMMENT ON COLUMN slow_launches.loads_code IS 'true for the first run of a kernel, and where nothing tells which run it is';
