-- The calls in which the time of each cause was lost: the two that cost most, and a hundredth of its time or more.
-- reads: call_names, cause_totals, thread_names, window_segments
CREATE TABLE evidence_calls AS
WITH named AS (
    SELECT
        s.cause,
        c.name,
        s.on_global_tid,
        count(DISTINCT coalesce(s.gap_id, s.activity_id)) AS gaps,
        CAST(sum(s.end_ns - s.start_ns) AS BIGINT) AS lost_ns
    FROM window_segments AS s
    INNER JOIN call_names AS c ON c.string_id = s.name_id
    GROUP BY ALL
)

SELECT n.cause, n.name, h.thread, n.gaps, n.lost_ns
FROM named AS n
INNER JOIN cause_totals AS f ON f.cause = n.cause AND n.lost_ns >= 0.01 * f.lost_ns
LEFT JOIN thread_names AS h ON h.global_tid = n.on_global_tid
QUALIFY row_number() OVER (PARTITION BY n.cause ORDER BY n.lost_ns DESC, n.name, n.on_global_tid) <= 2
ORDER BY n.cause, n.lost_ns DESC, n.name;

COMMENT ON TABLE evidence_calls IS 'the calls in which the time of each cause was lost, the two that cost most';
COMMENT ON COLUMN evidence_calls.name IS 'name of the call, without a version suffix';
COMMENT ON COLUMN evidence_calls.gaps IS 'number of gaps, and of exposed activities, in which it was lost';
COMMENT ON COLUMN evidence_calls.lost_ns IS 'time lost in them, ns';
