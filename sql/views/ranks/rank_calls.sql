-- The calls in which each rank loses the time of each cause, as evidence_calls has them for all GPUs: the two that cost most, and
-- a hundredth of its time or more.
-- reads: call_names, ledger, rank_gpus, thread_names, window_segments
CREATE VIEW rank_calls AS
WITH named AS (
    SELECT
        s.gpu,
        s.cause,
        c.name,
        s.on_global_tid,
        count(DISTINCT coalesce(s.gap_id, s.activity_id)) AS gaps,
        CAST(sum(s.end_ns - s.start_ns) AS BIGINT) AS lost_ns
    FROM window_segments AS s
    INNER JOIN call_names AS c ON c.string_id = s.name_id
    WHERE s.gpu IN (SELECT gpu FROM rank_gpus)
    GROUP BY ALL
)

SELECT n.gpu, n.cause, n.name, h.thread, n.gaps, n.lost_ns
FROM named AS n
INNER JOIN ledger AS l ON l.gpu = n.gpu AND l.cause = n.cause AND n.lost_ns >= 0.01 * l.lost_ns
LEFT JOIN thread_names AS h ON h.global_tid = n.on_global_tid
QUALIFY row_number() OVER (PARTITION BY n.gpu, n.cause ORDER BY n.lost_ns DESC, n.name, n.on_global_tid) <= 2
ORDER BY n.gpu, n.cause, n.lost_ns DESC, n.name;

COMMENT ON VIEW rank_calls IS 'the calls in which each rank loses the time of each cause, the two that cost most';
COMMENT ON COLUMN rank_calls.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_calls.name IS 'name of the call, without a version suffix';
COMMENT ON COLUMN rank_calls.gaps IS 'number of gaps, and of exposed activities, in which it was lost';
COMMENT ON COLUMN rank_calls.lost_ns IS 'time lost in them, ns';
