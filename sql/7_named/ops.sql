-- GPU work with names, the range that launched it, and how long it waited in its queue.
CREATE VIEW main.ops AS
SELECT
    o.* EXCLUDE (name_id, kind),
    CAST(o.kind AS VARCHAR) AS kind,
    n.name,
    o.end_ns - o.start_ns AS length_ns,
    o.start_ns - o.launch_end_ns AS queued_ns,
    t.thread,
    t.process,
    CASE WHEN r.end_ns > o.launch_start_ns THEN p.path END AS nvtx
FROM layers.ops AS o
INNER JOIN layers.op_names AS n ON n.op_id = o.op_id
LEFT JOIN layers.thread_names AS t ON t.global_tid = o.global_tid
ASOF LEFT JOIN layers.nvtx_states AS r ON r.pid = o.pid AND o.launch_start_ns >= r.start_ns
LEFT JOIN layers.nvtx_paths AS p ON p.event_id = r.range_id;

CREATE VIEW main.window_ops AS
SELECT o.* EXCLUDE (name_id, kind), CAST(o.kind AS VARCHAR) AS kind, n.name, o.end_ns - o.start_ns AS length_ns, t.thread, t.process
FROM layers.window_ops AS o
INNER JOIN layers.op_names AS n ON n.op_id = o.op_id
LEFT JOIN layers.thread_names AS t ON t.global_tid = o.global_tid;

CREATE VIEW main.kernels AS
SELECT k.* EXCLUDE (name_id), coalesce(s.text, '?') AS name, k.end_ns - k.start_ns AS length_ns, p.name AS process
FROM layers.kernels AS k
LEFT JOIN layers.strings AS s ON s.string_id = k.name_id
LEFT JOIN layers.processes AS p ON p.pid = k.pid;

CREATE VIEW main.copies AS
SELECT c.*, c.end_ns - c.start_ns AS length_ns, p.name AS process
FROM layers.copies AS c
LEFT JOIN layers.processes AS p ON p.pid = c.pid;

CREATE VIEW main.graph_launches AS
SELECT g.*, g.end_ns - g.start_ns AS length_ns, p.name AS process
FROM layers.graph_launches AS g
LEFT JOIN layers.processes AS p ON p.pid = g.pid;

CREATE VIEW main.exposures AS
SELECT e.*, n.name, e.end_ns - e.start_ns AS length_ns
FROM layers.exposures AS e
LEFT JOIN layers.op_names AS n ON n.op_id = e.op_id;

CREATE VIEW main.collectives AS
SELECT c.*, n.name, c.end_ns - c.start_ns AS length_ns, c.all_arrived_ns - c.start_ns AS waiting_ns
FROM layers.collectives AS c
LEFT JOIN layers.op_names AS n ON n.op_id = c.op_id;

COMMENT ON VIEW main.ops IS 'every piece of GPU work, with names: kernels, copies, fills and whole graphs';
COMMENT ON COLUMN main.ops.name IS 'short name of a kernel, direction of a copy, Fill or CUDA graph';
COMMENT ON COLUMN main.ops.length_ns IS 'how long it ran, ns';
COMMENT ON COLUMN main.ops.queued_ns IS 'from the end of the submitting call to its start, ns; negative where it started within the call';
COMMENT ON COLUMN main.ops.thread IS 'name of the submitter';
COMMENT ON COLUMN main.ops.process IS 'name of the process';
COMMENT ON COLUMN main.ops.nvtx IS 'path of the NVTX range that was open on the main thread when it was launched';
COMMENT ON VIEW main.window_ops IS 'the ops that run in the window, cut to it, with names';
COMMENT ON COLUMN main.window_ops.name IS 'as in ops';
COMMENT ON COLUMN main.window_ops.length_ns IS 'how long it ran inside the window, ns';
COMMENT ON COLUMN main.window_ops.thread IS 'name of the submitter';
COMMENT ON COLUMN main.window_ops.process IS 'name of the process';
COMMENT ON VIEW main.kernels IS 'one row for each kernel that ran, with names';
COMMENT ON COLUMN main.kernels.name IS 'short name';
COMMENT ON COLUMN main.kernels.length_ns IS 'how long it ran, ns';
COMMENT ON COLUMN main.kernels.process IS 'name of the process';
COMMENT ON VIEW main.copies IS 'one row for each copy (memcpy) and each fill (memset), with names';
COMMENT ON COLUMN main.copies.length_ns IS 'how long it ran, ns';
COMMENT ON COLUMN main.copies.process IS 'name of the process';
COMMENT ON VIEW main.graph_launches IS 'one row for each CUDA graph launch that was traced as a whole, with names';
COMMENT ON COLUMN main.graph_launches.length_ns IS 'how long it ran, ns';
COMMENT ON COLUMN main.graph_launches.process IS 'name of the process';
COMMENT ON VIEW main.exposures IS 'communication and copies in which nothing computes, with names';
COMMENT ON COLUMN main.exposures.name IS 'name of the op';
COMMENT ON COLUMN main.exposures.length_ns IS 'length, ns';
COMMENT ON VIEW main.collectives IS 'communication ops of the window, with names and the arrival of the other ranks that the report holds';
COMMENT ON COLUMN main.collectives.name IS 'name of the kernel';
COMMENT ON COLUMN main.collectives.length_ns IS 'how long it ran, ns';
COMMENT ON COLUMN main.collectives.waiting_ns IS 'how long it waited for the last rank, ns';
