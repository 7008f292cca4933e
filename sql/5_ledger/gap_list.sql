-- The gaps as a person reads them: what ran before and after, who should have launched, and the causes.
CREATE VIEW op_names AS
SELECT o.op_id, coalesce(t.text, c.direction || CASE WHEN c.direction = 'Fill' THEN '' ELSE ' copy' END, 'CUDA graph') AS name
FROM ops AS o
LEFT JOIN strings AS t ON t.string_id = o.name_id
LEFT JOIN copies AS c ON c.op_id = o.op_id;

CREATE VIEW gap_slices AS
SELECT
    s.gap_id,
    list(
        struct_pack(
            start_ns := s.start_ns,
            end_ns := s.end_ns,
            state := CAST(s.state AS VARCHAR),
            "call" := t.text,
            cause := CAST(s.cause AS VARCHAR),
            basis := CAST(s.basis AS VARCHAR)
        ) ORDER BY s.start_ns
    ) AS slices
FROM settled AS s
LEFT JOIN strings AS t ON t.string_id = s.name_id
WHERE s.gap_id IS NOT NULL
GROUP BY s.gap_id;

CREATE VIEW gap_list AS
WITH before AS (
    SELECT gpu, end_ns, min(op_id) AS op_id FROM window_ops GROUP BY gpu, end_ns
),

longest AS (
    SELECT gap_id, CAST(arg_max(cause, end_ns - start_ns) AS VARCHAR) AS cause, arg_max(range_id, end_ns - start_ns) AS range_id
    FROM settled
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
    tid_of(g.global_tid) AS tid,
    n.path AS nvtx
FROM gaps AS g
INNER JOIN longest AS l ON l.gap_id = g.gap_id
LEFT JOIN before AS p ON p.gpu = g.gpu AND p.end_ns = g.start_ns
LEFT JOIN op_names AS b ON b.op_id = p.op_id
LEFT JOIN op_names AS a ON a.op_id = g.gap_id
LEFT JOIN threads AS h ON h.global_tid = g.global_tid
LEFT JOIN nvtx_paths AS n ON n.event_id = l.range_id;

CREATE VIEW stream_gap_list AS
WITH before AS (
    SELECT gpu, pid, stream, end_ns, min(op_id) AS op_id FROM window_ops GROUP BY gpu, pid, stream, end_ns
)

SELECT
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
    tid_of(g.global_tid) AS tid
FROM stream_gaps AS g
LEFT JOIN before AS p ON p.gpu = g.gpu AND p.pid = g.pid AND p.stream = g.stream AND p.end_ns = g.start_ns
LEFT JOIN op_names AS b ON b.op_id = p.op_id
LEFT JOIN op_names AS a ON a.op_id = g.after_op_id
LEFT JOIN threads AS h ON h.global_tid = g.global_tid;

COMMENT ON VIEW op_names IS 'what to call each op';
COMMENT ON COLUMN op_names.op_id IS 'as in ops';
COMMENT ON COLUMN op_names.name IS 'short name of a kernel, direction of a copy, Fill or CUDA graph';
COMMENT ON VIEW gap_slices IS 'the slices of each gap';
COMMENT ON COLUMN gap_slices.gap_id IS 'as in gaps';
COMMENT ON COLUMN gap_slices.slices IS 'start_ns, end_ns, state, call, cause and basis of each, in order';
COMMENT ON VIEW gap_list IS 'gaps of each GPU with names';
COMMENT ON COLUMN gap_list.gap_id IS 'as in gaps';
COMMENT ON COLUMN gap_list.gpu IS 'physical GPU';
COMMENT ON COLUMN gap_list.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN gap_list.end_ns IS 'end, ns';
COMMENT ON COLUMN gap_list.length_ns IS 'length, ns';
COMMENT ON COLUMN gap_list.cause IS 'cause of the longest slice';
COMMENT ON COLUMN gap_list.before IS 'the op that ended as the gap began; NULL at the start of the window';
COMMENT ON COLUMN gap_list.after IS 'the op that ends it; NULL at the end of the window';
COMMENT ON COLUMN gap_list.thread IS 'name of the submitter';
COMMENT ON COLUMN gap_list.tid IS 'thread id of the submitter';
COMMENT ON COLUMN gap_list.nvtx IS 'NVTX path of the longest slice';
COMMENT ON VIEW stream_gap_list IS 'gaps of each stream with names; they cost nothing while the device computes on another stream';
COMMENT ON COLUMN stream_gap_list.gpu IS 'physical GPU';
COMMENT ON COLUMN stream_gap_list.pid IS 'process of the stream';
COMMENT ON COLUMN stream_gap_list.stream IS 'CUDA stream';
COMMENT ON COLUMN stream_gap_list.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN stream_gap_list.end_ns IS 'end, ns';
COMMENT ON COLUMN stream_gap_list.length_ns IS 'length, ns';
COMMENT ON COLUMN stream_gap_list.computing_ns IS 'how much of it the device spent computing on other streams, ns';
COMMENT ON COLUMN stream_gap_list.before IS 'the op of the stream that ended as the gap began';
COMMENT ON COLUMN stream_gap_list.after IS 'the op that ends it';
COMMENT ON COLUMN stream_gap_list.thread IS 'name of the submitter of that op';
COMMENT ON COLUMN stream_gap_list.tid IS 'its thread id';
