-- The gaps as a person reads them: what ran before and after, who should have launched, and the causes.
CREATE VIEW main.gaps AS
WITH before AS (
    SELECT gpu, end_ns, min(op_id) AS op_id FROM layers.window_ops GROUP BY gpu, end_ns
),

longest AS (
    SELECT gap_id, CAST(arg_max(cause, end_ns - start_ns) AS VARCHAR) AS cause, arg_max(range_id, end_ns - start_ns) AS range_id
    FROM layers.settled
    WHERE gap_id IS NOT NULL
    GROUP BY gap_id
)

SELECT
    g.gap_id,
    g.gpu,
    g.start_ns,
    g.end_ns,
    g.end_ns - g.start_ns AS length_ns,
    l.cause,
    b.name AS before,
    a.name AS after,
    h.name AS thread,
    layers.tid_of(g.global_tid) AS tid,
    n.path AS nvtx,
    CASE WHEN s.end_ns > g.start_ns THEN s.step END AS step,
    g.pid,
    g.launch_start_ns
FROM layers.gaps AS g
INNER JOIN longest AS l ON l.gap_id = g.gap_id
LEFT JOIN before AS p ON p.gpu = g.gpu AND p.end_ns = g.start_ns
LEFT JOIN layers.op_names AS b ON b.op_id = p.op_id
LEFT JOIN layers.op_names AS a ON a.op_id = g.gap_id
LEFT JOIN layers.threads AS h ON h.global_tid = g.global_tid
LEFT JOIN layers.nvtx_paths AS n ON n.event_id = l.range_id
ASOF LEFT JOIN layers.window_steps AS s ON g.start_ns >= s.start_ns;

CREATE VIEW main.stream_gaps AS
WITH before AS (
    SELECT gpu, pid, stream, end_ns, min(op_id) AS op_id FROM layers.window_ops GROUP BY gpu, pid, stream, end_ns
)

SELECT
    g.stream_gap_id,
    g.gpu,
    g.pid,
    g.stream,
    g.start_ns,
    g.end_ns,
    g.end_ns - g.start_ns AS length_ns,
    g.computing_ns,
    b.name AS before,
    a.name AS after,
    h.name AS thread,
    layers.tid_of(g.global_tid) AS tid
FROM layers.stream_gaps AS g
LEFT JOIN before AS p ON p.gpu = g.gpu AND p.pid = g.pid AND p.stream = g.stream AND p.end_ns = g.start_ns
LEFT JOIN layers.op_names AS b ON b.op_id = p.op_id
LEFT JOIN layers.op_names AS a ON a.op_id = g.after_op_id
LEFT JOIN layers.threads AS h ON h.global_tid = g.global_tid;

COMMENT ON VIEW main.gaps IS 'maximal intervals of the window in which a GPU runs no op, on any stream of any process, with names and causes';
COMMENT ON COLUMN main.gaps.length_ns IS 'length, ns';
COMMENT ON COLUMN main.gaps.cause IS 'cause of the longest slice';
COMMENT ON COLUMN main.gaps.before IS 'the op that ended as the gap began; NULL at the start of the window';
COMMENT ON COLUMN main.gaps.after IS 'the op that ends it; NULL at the end of the window';
COMMENT ON COLUMN main.gaps.thread IS 'name of the submitter';
COMMENT ON COLUMN main.gaps.tid IS 'thread id of the submitter';
COMMENT ON COLUMN main.gaps.nvtx IS 'NVTX path of the longest slice';
COMMENT ON COLUMN main.gaps.step IS 'the step in which it begins, as in steps; NULL where there is none';
COMMENT ON VIEW main.stream_gaps IS 'gaps of each stream with names; they cost nothing while the device computes on another stream';
COMMENT ON COLUMN main.stream_gaps.length_ns IS 'length, ns';
COMMENT ON COLUMN main.stream_gaps.before IS 'the op that ended as the gap began';
COMMENT ON COLUMN main.stream_gaps.after IS 'the op that ends it';
COMMENT ON COLUMN main.stream_gaps.thread IS 'name of the thread that launched it';
COMMENT ON COLUMN main.stream_gaps.tid IS 'thread id of that thread';
