-- What runs on each GPU in the window (on choices.device alone, where it is given).
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
