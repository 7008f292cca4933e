-- The window of each GPU, from what runs on it: the parts in which nothing computes. Streams and processes are
-- one union here (variable device: only that one); a device that computes on any of them is computing.
CREATE VIEW window_ops AS
SELECT
    o.op_id, o.kind, o.gpu, o.pid, o.stream, o.name_id,
    o.global_tid, o.launch_start_ns, o.launch_end_ns,
    greatest(o.start_ns, w.start_ns) AS start_ns,
    least(o.end_ns, w.end_ns) AS end_ns
FROM ops AS o, "window" AS w
WHERE o.end_ns > w.start_ns AND o.start_ns < w.end_ns AND o.end_ns > o.start_ns
    AND o.gpu = coalesce(getvariable('device'), o.gpu);

-- How far the device was covered when each op began: by any op, and by a computing one.
CREATE TABLE coverage AS
SELECT
    op_id,
    kind,
    gpu,
    start_ns,
    end_ns,
    coalesce(max(end_ns) OVER before, (SELECT start_ns FROM "window")) AS busy_until_ns,
    coalesce(max(CASE WHEN kind = 'compute' THEN end_ns END) OVER before, (SELECT start_ns FROM "window")) AS computing_until_ns,
    max(launch_end_ns) OVER before AS launched_until_ns
FROM window_ops
WINDOW before AS (PARTITION BY gpu ORDER BY start_ns, op_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING);

-- One row closes each GPU's window: the end of the last op, and of the last that computed.
CREATE TABLE occupancy AS
SELECT
    gpu,
    max(end_ns) AS busy_until_ns,
    coalesce(max(CASE WHEN kind = 'compute' THEN end_ns END), (SELECT start_ns FROM "window")) AS computing_until_ns,
    CAST(sum(CASE WHEN kind = 'compute' THEN greatest(0, end_ns - greatest(start_ns, computing_until_ns)) ELSE 0 END) AS BIGINT)
        AS compute_ns,
    max(launched_until_ns) AS launched_until_ns
FROM coverage
GROUP BY gpu;

COMMENT ON VIEW window_ops IS 'the ops that run in the window, cut to it';
COMMENT ON COLUMN window_ops.op_id IS 'as in ops';
COMMENT ON COLUMN window_ops.kind IS 'compute, communication or copy';
COMMENT ON COLUMN window_ops.gpu IS 'physical GPU';
COMMENT ON COLUMN window_ops.pid IS 'process';
COMMENT ON COLUMN window_ops.name_id IS 'name of a kernel, in strings';
COMMENT ON COLUMN window_ops.global_tid IS 'the submitter';
COMMENT ON COLUMN window_ops.launch_start_ns IS 'CPU start of the submitting call, ns';
COMMENT ON COLUMN window_ops.launch_end_ns IS 'CPU end of the submitting call, ns';
COMMENT ON COLUMN window_ops.stream IS 'CUDA stream';
COMMENT ON COLUMN window_ops.start_ns IS 'start inside the window, ns';
COMMENT ON COLUMN window_ops.end_ns IS 'end inside the window, ns';
COMMENT ON TABLE coverage IS 'how far each GPU was covered when each op of the window began';
COMMENT ON COLUMN coverage.op_id IS 'as in ops';
COMMENT ON COLUMN coverage.kind IS 'compute, communication or copy';
COMMENT ON COLUMN coverage.gpu IS 'physical GPU';
COMMENT ON COLUMN coverage.start_ns IS 'start of the op inside the window, ns';
COMMENT ON COLUMN coverage.end_ns IS 'end of the op inside the window, ns';
COMMENT ON COLUMN coverage.busy_until_ns IS 'latest end of any earlier op, ns';
COMMENT ON COLUMN coverage.computing_until_ns IS 'latest end of any earlier computing op, ns';
COMMENT ON COLUMN coverage.launched_until_ns IS 'latest CPU end of the launch of any earlier op, ns';
COMMENT ON TABLE occupancy IS 'what each GPU did in the window';
COMMENT ON COLUMN occupancy.gpu IS 'physical GPU';
COMMENT ON COLUMN occupancy.busy_until_ns IS 'end of its last op, ns';
COMMENT ON COLUMN occupancy.computing_until_ns IS 'end of its last computing op, ns';
COMMENT ON COLUMN occupancy.compute_ns IS 'time in which it computed, ns';
COMMENT ON COLUMN occupancy.launched_until_ns IS 'latest CPU end of the launch of any of its ops, ns';
