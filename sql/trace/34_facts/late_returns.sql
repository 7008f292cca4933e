-- One row for each segment in which a synchronize call goes on for long_wait_ns() although all that was launched has ended: its
-- thread, which asks again and again whether the GPU is done, has no core to see it. Usually a call returns within 100 us: 140
-- sound traces have no such segment, and where five threads share each core they are 78 % of the window.
--
-- Only of processes that use one GPU and no host functions, for which a stream may wait on the CPU; and only where the last
-- launch before has an activity, since nsys may have lost the others, and is no copy of pageable memory, whose last part the call
-- itself copies, in 1 ms.
-- reads: activities, calls, copies, long_wait_ns, one_gpu_processes, segments
CREATE TABLE late_returns AS
WITH late AS (
    SELECT segment_id, pid, on_global_tid AS global_tid, start_ns, end_ns
    FROM segments
    WHERE
        state = 'sync' AND end_ns - start_ns >= long_wait_ns()
        AND pid IN (SELECT pid FROM one_gpu_processes)
        AND pid NOT IN (SELECT pid FROM calls WHERE family = 'host_function')
),

launches_before AS (
    SELECT global_tid, start_ns, correlation_id
    FROM calls
    WHERE family IN ('launch', 'copy') AND global_tid IN (SELECT global_tid FROM late)
),

launched AS (
    SELECT l.*, c.correlation_id, c.start_ns AS launch_start_ns
    FROM late AS l
    ASOF INNER JOIN launches_before AS c ON c.global_tid = l.global_tid AND l.start_ns >= c.start_ns
)

SELECT segment_id, global_tid, start_ns, end_ns
FROM launched AS l
SEMI JOIN activities AS a ON a.pid = l.pid AND a.launch_start_ns = l.launch_start_ns
ANTI JOIN (SELECT pid, correlation_id FROM copies WHERE pageable) AS c ON c.pid = l.pid AND c.correlation_id = l.correlation_id;

COMMENT ON TABLE late_returns IS 'segments in which a synchronize call goes on although the GPU has ended: its thread has no core';
COMMENT ON COLUMN late_returns.global_tid IS 'the thread that synchronizes, in threads';
COMMENT ON COLUMN late_returns.start_ns IS 'when the GPU had ended, ns since the session began';
COMMENT ON COLUMN late_returns.end_ns IS 'when the call returned, or the gap ended, ns';
