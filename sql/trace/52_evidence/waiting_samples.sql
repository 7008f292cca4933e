-- One row for each cause and each Python sample in a call that waited for the GPU, or for memory, and so took the run-ahead that
-- the CPU lacks in a gap of the cause. The line that waits is the one to change, also where it waited before the gap.
-- reads: blocking_calls, lost_run_ahead, python_samples, window_segments
CREATE TABLE waiting_samples AS
WITH lacking AS (
    SELECT DISTINCT s.cause, r.blocked_on_global_tid AS global_tid, r.blocked_since_ns AS start_ns
    FROM window_segments AS s
    INNER JOIN lost_run_ahead AS r ON r.gap_id = s.gap_id
)

SELECT l.cause, b.waits_for, p.sample_id
FROM python_samples AS p
ASOF INNER JOIN blocking_calls AS b ON b.global_tid = p.global_tid AND p.at_ns >= b.start_ns
INNER JOIN lacking AS l ON l.global_tid = b.global_tid AND l.start_ns = b.start_ns
WHERE p.at_ns < b.end_ns;

COMMENT ON TABLE waiting_samples IS 'Python samples in calls that took the run-ahead which the CPU lacks in gaps of a cause';
COMMENT ON COLUMN waiting_samples.waits_for IS 'what the call waits for, as in blocking_calls';
