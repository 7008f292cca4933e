-- One row for each long segment before the upload of a batch in which Python samples find the thread in the tail of a loop: code
-- that belongs to the iteration before, as a metric, a log or a garbage collection. It made no batch.
--
-- What the thread runs next is its first sample after the gap. Both stacks are compared from the outermost frame on. Where they
-- part in one function, and what runs next stands on an earlier line, the loop has come round in between.
-- reads: gap_facts, gaps, long_segment_samples, own_work_ns, python_frames, sampled_stacks, segments
CREATE TABLE loop_tails AS
WITH before_uploads AS (
    SELECT s.segment_id, s.on_global_tid AS global_tid, s.start_ns, g.end_ns AS upload_ns
    FROM segments AS s
    INNER JOIN gap_facts AS f ON f.gap_id = s.gap_id
    INNER JOIN gaps AS g ON g.gap_id = s.gap_id
    WHERE
        f.upload AND s.state IN ('run', 'sleep', 'wait') AND s.end_ns - s.start_ns >= own_work_ns()
        AND EXISTS (FROM sampled_stacks)
),

next_stacks AS (
    SELECT b.segment_id, b.start_ns, s.stack_id AS next_stack_id
    FROM before_uploads AS b
    ASOF INNER JOIN sampled_stacks AS s ON s.global_tid = b.global_tid AND b.upload_ns <= s.at_ns
),

inside AS (
    SELECT s.segment_id, s.stack_id, n.next_stack_id
    FROM long_segment_samples AS s
    INNER JOIN next_stacks AS n ON n.segment_id = s.segment_id AND s.at_ns >= n.start_ns
    WHERE s.kind = 'python'
),

frames AS (
    SELECT
        stack_id, file_id, function_id, line,
        row_number() OVER (PARTITION BY stack_id ORDER BY depth DESC) AS number_from_outside
    FROM python_frames
    WHERE EXISTS (FROM inside)
),

partings AS (
    SELECT
        p.stack_id, p.next_stack_id,
        arg_min(
            f.file_id = n.file_id AND f.function_id = n.function_id AND f.line > n.line, f.number_from_outside
        ) AS came_round
    FROM (SELECT DISTINCT stack_id, next_stack_id FROM inside) AS p
    INNER JOIN frames AS f ON f.stack_id = p.stack_id
    INNER JOIN frames AS n ON n.stack_id = p.next_stack_id AND n.number_from_outside = f.number_from_outside
    WHERE (f.file_id, f.function_id, f.line) IS DISTINCT FROM (n.file_id, n.function_id, n.line)
    GROUP BY p.stack_id, p.next_stack_id
)

-- 3: where samples are farther apart, the next one may be of a later iteration
SELECT i.segment_id
FROM inside AS i
LEFT JOIN partings AS p ON p.stack_id = i.stack_id AND p.next_stack_id = i.next_stack_id
GROUP BY i.segment_id
HAVING count(*) >= 3 AND 2 * count(CASE WHEN p.came_round THEN 1 END) > count(*);

COMMENT ON TABLE loop_tails IS 'long segments of code in the tail of a loop, before the upload of a batch';
