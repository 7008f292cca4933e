-- One row for each gap in which the CPU lacks the run-ahead that a blocking call took. A call that returns while the GPU still
-- has work costs nothing. Where the GPU ran out of work before the call returned, the call took run-ahead: as much as it waited
-- while the GPU still worked. That much CPU work would have been hidden, in the gap in which the call returned and in those
-- that follow.
-- reads: blocking_calls, gaps, launching_threads
CREATE TABLE lost_run_ahead AS
WITH called AS (
    SELECT g.gpu, b.*
    FROM blocking_calls AS b
    INNER JOIN (SELECT DISTINCT gpu, pid FROM gaps) AS g ON g.pid = b.pid
    WHERE b.global_tid IN (SELECT global_tid FROM launching_threads)
),

-- the last gap that began before the call returned
drained AS (
    SELECT
        c.gpu, c.pid, c.global_tid, c.start_ns, c.end_ns, c.waits_for, g.gap_id,
        g.start_ns AS drained_ns
    FROM called AS c
    ASOF INNER JOIN gaps AS g ON g.gpu = c.gpu AND g.pid = c.pid AND c.end_ns > g.start_ns
    WHERE g.start_ns >= c.start_ns
    -- of calls that nest, or of two threads, the one that began last
    QUALIFY row_number() OVER (PARTITION BY g.gap_id ORDER BY c.start_ns DESC) = 1
),

following AS (
    SELECT
        g.gap_id,
        g.start_ns,
        d.gap_id AS drained_gap_id,
        d.global_tid AS blocked_on_global_tid,
        d.start_ns AS blocked_since_ns,
        d.end_ns AS blocked_until_ns,
        d.waits_for AS blocked_for,
        d.drained_ns - d.start_ns AS waited_ns,
        coalesce(sum(g.late_until_ns - g.start_ns) OVER (
            PARTITION BY d.gap_id ORDER BY g.start_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS late_before_ns
    FROM (
        SELECT gap_id, gpu, pid, start_ns, late_until_ns FROM gaps WHERE start_ns >= (SELECT min(drained_ns) FROM drained)
    ) AS g
    ASOF INNER JOIN drained AS d ON d.gpu = g.gpu AND d.pid = g.pid AND g.start_ns >= d.drained_ns
)

SELECT
    gap_id,
    gap_id = drained_gap_id AS spans,
    blocked_for,
    blocked_on_global_tid,
    blocked_since_ns,
    CASE
        WHEN gap_id = drained_gap_id THEN blocked_until_ns + waited_ns
        ELSE CAST(start_ns + waited_ns - late_before_ns AS BIGINT)
    END AS ahead_until_ns
FROM following
WHERE gap_id = drained_gap_id OR late_before_ns < waited_ns;

COMMENT ON TABLE lost_run_ahead IS 'gaps in which the CPU lacks the run-ahead that a blocking call took from it';
COMMENT ON COLUMN lost_run_ahead.spans IS 'true for the gap in which the call returned, false for those that follow';
COMMENT ON COLUMN lost_run_ahead.blocked_for IS 'what the call waited for, as in blocking_calls';
COMMENT ON COLUMN lost_run_ahead.blocked_on_global_tid IS 'the thread that made the call, in threads';
COMMENT ON COLUMN lost_run_ahead.blocked_since_ns IS 'CPU start of the call, ns';
COMMENT ON COLUMN lost_run_ahead.ahead_until_ns IS 'until when that run-ahead would have hidden the CPU''s work, ns';
