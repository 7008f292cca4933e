-- The window of each GPU, from what runs on it: the parts in which nothing computes. Streams and processes are
-- one union here (of choices.device alone, where it is given); a device that computes on any of them is computing.
CREATE VIEW window_ops AS
SELECT
    o.op_id, o.kind, o.gpu, o.pid, o.stream, o.name_id,
    o.global_tid, o.launch_start_ns, o.launch_end_ns,
    greatest(o.start_ns, w.start_ns) AS start_ns,
    least(o.end_ns, w.end_ns) AS end_ns
FROM ops AS o, "window" AS w
WHERE o.end_ns > w.start_ns AND o.start_ns < w.end_ns AND o.end_ns > o.start_ns
    AND o.gpu = coalesce((SELECT device FROM choices), o.gpu);

-- How far the device was covered when each op began: by any op (busy_until_ns), and by a computing one. It is the
-- source of gaps and exposures, and dropped after them.
CREATE TABLE coverage AS
SELECT
    op_id,
    kind,
    gpu,
    pid,
    global_tid,
    launch_start_ns,
    launch_end_ns,
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
    max(launch_end_ns) AS launched_until_ns,
    arg_max(pid, end_ns) AS last_pid
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
COMMENT ON TABLE occupancy IS 'what each GPU did in the window';
COMMENT ON COLUMN occupancy.gpu IS 'physical GPU';
COMMENT ON COLUMN occupancy.busy_until_ns IS 'end of its last op, ns';
COMMENT ON COLUMN occupancy.computing_until_ns IS 'end of its last computing op, ns';
COMMENT ON COLUMN occupancy.compute_ns IS 'time in which it computed, ns';
COMMENT ON COLUMN occupancy.launched_until_ns IS 'latest CPU end of the launch of any of its ops, ns';
COMMENT ON COLUMN occupancy.last_pid IS 'process of the op that ends last';
