-- What runs on each GPU in the window, and how far it is covered by that. Streams and processes are
-- one union here (of choices.device alone, where it is given); a device that runs an op on any of them is busy.
CREATE VIEW window_ops AS
SELECT
    o.op_id, o.kind, o.gpu, o.pid, o.stream, o.name_id,
    o.global_tid, o.launch_start_ns, o.launch_end_ns,
    -- of a million ops, greatest and least take twice as long
    CASE WHEN o.start_ns < w.start_ns THEN w.start_ns ELSE o.start_ns END AS start_ns,
    CASE WHEN o.end_ns > w.end_ns THEN w.end_ns ELSE o.end_ns END AS end_ns
FROM ops AS o, "window" AS w, choices AS c
WHERE o.end_ns > w.start_ns AND o.start_ns < w.end_ns AND o.end_ns > o.start_ns AND (c.device IS NULL OR o.gpu = c.device);

-- Added up once: of a million ops, each count over window_ops takes as long as all of the evidence.
CREATE TABLE op_totals AS
SELECT
    pid, gpu, kind, name_id, count(*) AS ops, CAST(sum(end_ns - start_ns) AS BIGINT) AS gpu_ns,
    max(end_ns) AS last_end_ns, max(launch_end_ns) AS launched_until_ns
FROM window_ops
GROUP BY pid, gpu, kind, name_id;

-- What no op covers before each op begins. It is the source of gaps, and dropped after them.
CREATE TABLE uncovered AS
SELECT
    op_id,
    gpu,
    pid,
    global_tid,
    launch_start_ns,
    launch_end_ns,
    coalesce(max(end_ns) OVER before, (SELECT start_ns FROM "window")) AS from_ns,
    start_ns AS to_ns,
    max(launch_end_ns) OVER before AS launched_until_ns
FROM window_ops
WINDOW before AS (PARTITION BY gpu ORDER BY start_ns, op_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
QUALIFY to_ns > from_ns;

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
COMMENT ON TABLE op_totals IS 'the ops of the window, added up';
COMMENT ON COLUMN op_totals.pid IS 'process id';
COMMENT ON COLUMN op_totals.gpu IS 'physical GPU';
COMMENT ON COLUMN op_totals.kind IS 'compute, communication or copy';
COMMENT ON COLUMN op_totals.name_id IS 'short name of the kernels, in strings; NULL for copies and whole graphs';
COMMENT ON COLUMN op_totals.ops IS 'how many';
COMMENT ON COLUMN op_totals.gpu_ns IS 'time on the GPU in the window, ns';
COMMENT ON COLUMN op_totals.last_end_ns IS 'end of the last of them in the window, ns';
COMMENT ON COLUMN op_totals.launched_until_ns IS 'latest CPU end of the launch of any of them, ns';
COMMENT ON TABLE occupancy IS 'what each GPU did in the window';
COMMENT ON COLUMN occupancy.gpu IS 'physical GPU';
COMMENT ON COLUMN occupancy.busy_until_ns IS 'end of its last op, ns';
COMMENT ON COLUMN occupancy.busy_ns IS 'time in which it ran any op, ns';
COMMENT ON COLUMN occupancy.launched_until_ns IS 'latest CPU end of the launch of any of its ops, ns';
COMMENT ON COLUMN occupancy.last_pid IS 'process of the op that ends last';
