-- The ops that are drawn, with the id that leads back to their launch.
CREATE VIEW linked_ops AS
WITH correlated AS (
    SELECT op_id, correlation_id FROM layers.kernels
    UNION ALL
    SELECT op_id, correlation_id FROM layers.copies
    UNION ALL
    SELECT op_id, correlation_id FROM layers.graph_launches
)

SELECT
    o.op_id,
    -- an arrow needs both its ends, and time goes on along it
    CASE
        WHEN o.launch_start_ns <= o.start_ns AND layers.touches(o.launch_start_ns, o.launch_end_ns, s.from_ns, s.to_ns)
            THEN c.correlation_id
    END AS correlation_id
FROM layers.ops AS o
CROSS JOIN layers.tracked_span AS s
INNER JOIN correlated AS c ON c.op_id = o.op_id
WHERE layers.touches(o.start_ns, o.end_ns, s.from_ns, s.to_ns)
    AND o.gpu = coalesce((SELECT device FROM layers.choices), o.gpu);

COMMENT ON VIEW linked_ops IS 'the ops that are drawn';
COMMENT ON COLUMN linked_ops.op_id IS 'as in ops';
COMMENT ON COLUMN linked_ops.correlation_id IS 'of the call that launched it; NULL where no arrow leads to it';
