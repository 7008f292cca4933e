-- One row for each long read from a pipe of multiprocessing in which a launching thread waits for the answer of another process
-- to what came from the GPU: a simulation, say, that computes on with it. It fetched more than a scalar, with nothing launched
-- since, wrote, and then read. Who waits for a batch has launched a step since it fetched a result; queues and PyTorch's loader,
-- which work ahead, bring batches.
-- reads: activities, copies, long_segment_samples, os_call_kinds, os_calls, python_stacks, segments
CREATE TABLE piped_answers AS
WITH pipe_reads AS (
    SELECT s.segment_id, s.on_global_tid AS global_tid, s.start_ns
    FROM long_segment_samples AS l
    INNER JOIN python_stacks AS p ON p.stack_id = l.stack_id
    INNER JOIN segments AS s ON s.segment_id = l.segment_id AND s.state = 'io'
    GROUP BY s.segment_id, s.on_global_tid, s.start_ns
    HAVING
        avg(
            CAST(
                regexp_matches(p.frames, 'multiprocessing/connection\.py:(_?recv|_?poll|wait)')
                AND NOT regexp_matches(p.frames, 'torch/utils/data/|multiprocessing/queues\.py:') AS INTEGER
            )
        ) > 0.5
),

writes AS (
    SELECT o.global_tid, o.start_ns
    FROM os_calls AS o
    INNER JOIN os_call_kinds AS k ON k.string_id = o.name_id AND k.role = 'send'
    WHERE o.global_tid IN (SELECT global_tid FROM pipe_reads)
),

launched AS (
    SELECT global_tid, launch_start_ns, activity_id
    FROM activities
    WHERE global_tid IN (SELECT global_tid FROM pipe_reads) AND launch_start_ns IS NOT NULL
),

last_launched AS (
    SELECT r.segment_id, r.global_tid, r.start_ns, a.activity_id, a.launch_start_ns
    FROM pipe_reads AS r
    ASOF INNER JOIN launched AS a ON a.global_tid = r.global_tid AND r.start_ns >= a.launch_start_ns
)

SELECT l.segment_id
FROM last_launched AS l
-- 16 bytes: a scalar, as a loss, or two
INNER JOIN copies AS c ON c.activity_id = l.activity_id AND c.direction = 'Device-to-Host' AND c.bytes > 16
ASOF INNER JOIN writes AS w ON w.global_tid = l.global_tid AND l.start_ns >= w.start_ns
WHERE w.start_ns > l.launch_start_ns;

COMMENT ON TABLE piped_answers IS 'long reads from a pipe that wait for what another process makes of a result of the GPU';
