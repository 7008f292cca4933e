-- The activities that are drawn, each with the correlation id of its launch where an arrow leads from there.
-- reads: trace.activities, trace.copies, trace.graph_launches, trace.kernels, trace.options, trace.touches, trace.tracked_span
CREATE VIEW linked_activities AS
WITH correlated AS (
    SELECT activity_id, correlation_id FROM trace.kernels
    UNION ALL
    SELECT activity_id, correlation_id FROM trace.copies
    UNION ALL
    SELECT activity_id, correlation_id FROM trace.graph_launches
)

SELECT
    a.activity_id,
    -- an arrow needs both its ends, and must not go back in time
    CASE
        WHEN a.launch_start_ns <= a.start_ns AND trace.touches(a.launch_start_ns, a.launch_end_ns, s.from_ns, s.to_ns)
            THEN c.correlation_id
    END AS correlation_id
FROM trace.activities AS a
CROSS JOIN trace.tracked_span AS s
INNER JOIN correlated AS c ON c.activity_id = a.activity_id
WHERE
    trace.touches(a.start_ns, a.end_ns, s.from_ns, s.to_ns)
    AND a.gpu = coalesce((SELECT device FROM trace.options), a.gpu);

COMMENT ON VIEW linked_activities IS 'the activities that are drawn';
COMMENT ON COLUMN linked_activities.correlation_id IS 'of the call that launched it; NULL where no arrow leads to it';
