-- How long each GPU was busy. Streams and processes are one union here; a device that runs an op on any of them is busy.
-- One row closes each GPU's window: the end of the last op.
CREATE TABLE occupancy AS
WITH lasting AS (
    SELECT
        gpu, max(last_end_ns) AS busy_until_ns, max(launched_until_ns) AS launched_until_ns, arg_max(pid, last_end_ns) AS last_pid
    FROM op_totals
    GROUP BY gpu
),

idle AS (
    SELECT gpu, sum(to_ns - from_ns) AS idle_ns FROM uncovered GROUP BY gpu
)

SELECT
    l.gpu,
    l.busy_until_ns,
    CAST(l.busy_until_ns - w.start_ns - coalesce(i.idle_ns, 0) AS BIGINT) AS busy_ns,
    l.launched_until_ns,
    l.last_pid
FROM lasting AS l
CROSS JOIN "window" AS w
LEFT JOIN idle AS i ON i.gpu = l.gpu;

COMMENT ON TABLE occupancy IS 'what each GPU did in the window';
COMMENT ON COLUMN occupancy.gpu IS 'physical GPU';
COMMENT ON COLUMN occupancy.busy_until_ns IS 'end of its last op, ns';
COMMENT ON COLUMN occupancy.busy_ns IS 'time in which it ran any op, ns';
COMMENT ON COLUMN occupancy.launched_until_ns IS 'latest CPU end of the launch of any of its ops, ns';
COMMENT ON COLUMN occupancy.last_pid IS 'process of the op that ends last';
