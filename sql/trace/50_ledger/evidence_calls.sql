-- The calls in which the time of each cause was lost: the two that cost most.
-- reads: call_families, lost_segments, strings, threads, tid_of
CREATE VIEW evidence_calls AS
WITH named AS (
    SELECT
        s.cause,
        coalesce(f.name, t.text) AS name,
        s.on_global_tid,
        count(DISTINCT coalesce(s.gap_id, s.activity_id)) AS gaps,
        CAST(sum(s.end_ns - s.start_ns) AS BIGINT) AS lost_ns
    FROM lost_segments AS s
    INNER JOIN strings AS t ON t.string_id = s.name_id
    LEFT JOIN call_families AS f ON f.string_id = s.name_id
    GROUP BY ALL
)

SELECT n.cause, n.name, h.name AS thread, tid_of(n.on_global_tid) AS tid, n.gaps, n.lost_ns
FROM named AS n
LEFT JOIN threads AS h ON h.global_tid = n.on_global_tid
QUALIFY row_number() OVER (PARTITION BY n.cause ORDER BY n.lost_ns DESC, n.name, n.on_global_tid) <= 2
ORDER BY n.cause, n.lost_ns DESC, n.name;

COMMENT ON VIEW evidence_calls IS 'the calls in which the time of each cause was lost, the two that cost most';
COMMENT ON COLUMN evidence_calls.cause IS 'id of the cause';
COMMENT ON COLUMN evidence_calls.name IS 'name of the call, without a version suffix';
COMMENT ON COLUMN evidence_calls.thread IS 'name of the thread';
COMMENT ON COLUMN evidence_calls.tid IS 'id of the thread';
COMMENT ON COLUMN evidence_calls.gaps IS 'number of gaps, and of exposed activities, in which it was lost';
COMMENT ON COLUMN evidence_calls.lost_ns IS 'time lost in them, ns';
