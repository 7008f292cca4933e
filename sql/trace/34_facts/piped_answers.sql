-- One row for each segment in which a launching thread waits for the answer of other processes, or reads it, through a pipe of
-- multiprocessing: they simulate on, say, with what came from the GPU. It fetched more than a scalar, wrote with nothing launched
-- since, and then reads until it launches again. Who waits for a batch has launched a step since it fetched a result; queues and
-- PyTorch's loader, which work ahead, bring batches.
-- reads: activities, copies, long_segment_samples, os_call_kinds, os_calls, python_stacks, sampled_calls, segments
CREATE TABLE piped_answers AS
WITH reads AS (
    SELECT s.segment_id, s.on_global_tid AS global_tid, s.start_ns
    FROM long_segment_samples AS l
    INNER JOIN python_stacks AS p ON p.stack_id = l.stack_id
    INNER JOIN segments AS s ON s.segment_id = l.segment_id AND s.state IN ('io', 'wait', 'run')
    GROUP BY s.segment_id, s.on_global_tid, s.start_ns
    HAVING
        avg(
            CAST(
                regexp_matches(p.frames, 'multiprocessing/connection\.py:(_?recv|_?poll|wait)')
                AND NOT regexp_matches(p.frames, 'torch/utils/data/|multiprocessing/queues\.py:') AS INTEGER
            )
        ) > 0.5
),

readers AS (
    SELECT DISTINCT global_tid FROM reads
),

brief_reads AS (
    SELECT s.segment_id, s.on_global_tid AS global_tid, s.start_ns
    FROM (SELECT * FROM segments WHERE state IN ('io', 'wait') AND on_global_tid IN (FROM readers)) AS s
    INNER JOIN sampled_calls AS c ON c.global_tid = s.on_global_tid AND c.name_id = s.name_id AND c.cause = 'input_pipeline'
    ANTI JOIN reads AS r ON r.segment_id = s.segment_id
),

writes AS (
    SELECT o.global_tid, o.start_ns
    FROM os_calls AS o
    INNER JOIN os_call_kinds AS k ON k.string_id = o.name_id AND k.role = 'send'
    WHERE o.global_tid IN (FROM readers)
),

launched AS (
    SELECT
        global_tid, launch_start_ns, activity_id,
        lead(launch_start_ns) OVER (PARTITION BY global_tid ORDER BY launch_start_ns, activity_id) AS next_launch_ns
    FROM activities
    WHERE global_tid IN (FROM readers) AND launch_start_ns IS NOT NULL
),

asked AS (
    SELECT l.global_tid, min(w.start_ns) AS asked_ns, any_value(l.next_launch_ns) AS until_ns
    FROM writes AS w
    ASOF INNER JOIN launched AS l ON l.global_tid = w.global_tid AND w.start_ns >= l.launch_start_ns
    -- 16 bytes: a scalar, as a loss, or two
    INNER JOIN copies AS c ON c.activity_id = l.activity_id AND c.direction = 'Device-to-Host' AND c.bytes > 16
    GROUP BY l.global_tid, l.activity_id
)

SELECT r.segment_id
FROM (
    FROM reads
    UNION ALL
    FROM brief_reads
) AS r
ASOF INNER JOIN asked AS a ON a.global_tid = r.global_tid AND r.start_ns >= a.asked_ns
WHERE a.until_ns IS NULL OR r.start_ns < a.until_ns;

COMMENT ON TABLE piped_answers IS 'waits for the answers of other processes to what came from the GPU, and the reading of these';
