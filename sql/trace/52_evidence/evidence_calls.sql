-- The calls in which the time of each cause was lost: the two that cost most, and a hundredth of its time or more.
-- reads: call_losses, cause_totals, thread_names
CREATE TABLE evidence_calls AS
WITH named AS (
    SELECT cause, name, on_global_tid, CAST(sum(gaps) AS BIGINT) AS gaps, CAST(sum(lost_ns) AS BIGINT) AS lost_ns
    FROM call_losses
    GROUP BY cause, name, on_global_tid
)

SELECT n.cause, n.name, h.thread, n.gaps, n.lost_ns
FROM named AS n
INNER JOIN cause_totals AS f ON f.cause = n.cause AND n.lost_ns >= 0.01 * f.lost_ns
LEFT JOIN thread_names AS h ON h.global_tid = n.on_global_tid
QUALIFY row_number() OVER (PARTITION BY n.cause ORDER BY n.lost_ns DESC, n.name, n.on_global_tid) <= 2
ORDER BY n.cause, n.lost_ns DESC, n.name;

COMMENT ON TABLE evidence_calls IS 'the calls in which the time of each cause was lost, the two that cost most';
COMMENT ON COLUMN evidence_calls.lost_ns IS 'as in call_losses';
