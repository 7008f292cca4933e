-- Slices of lost time with their cause and names.
CREATE VIEW main.slices AS
SELECT
    s.slice_id,
    s.gap_id,
    s.op_id,
    s.gpu,
    s.pid,
    s.start_ns,
    s.end_ns,
    s.end_ns - s.start_ns AS length_ns,
    CAST(s.cause AS VARCHAR) AS cause,
    CAST(s.basis AS VARCHAR) AS basis,
    CAST(s.state AS VARCHAR) AS state,
    c.name AS "call",
    o.name AS op,
    t.thread,
    t.process,
    n.path AS nvtx,
    s.step
FROM layers.settled AS s
LEFT JOIN layers.call_names AS c ON c.string_id = s.name_id
LEFT JOIN layers.op_names AS o ON o.op_id = coalesce(s.op_id, s.gap_id)
LEFT JOIN layers.thread_names AS t ON t.global_tid = s.on_global_tid
LEFT JOIN layers.nvtx_paths AS n ON n.event_id = s.range_id;

CREATE VIEW gap_slices AS
SELECT
    gap_id,
    list(
        struct_pack(start_ns := start_ns, end_ns := end_ns, state := state, "call" := "call", cause := cause, basis := basis)
        ORDER BY start_ns
    ) AS slices
FROM main.slices
WHERE gap_id IS NOT NULL
GROUP BY gap_id;

COMMENT ON VIEW main.slices IS 'all lost time of the window, in pieces in which the submitter''s state does not change, with causes and names';
COMMENT ON COLUMN main.slices.length_ns IS 'length, ns';
COMMENT ON COLUMN main.slices.cause IS 'id of the cause';
COMMENT ON COLUMN main.slices.basis IS 'how the cause is known: seen, named or inferred; NULL where nobody claims the slice';
COMMENT ON COLUMN main.slices."call" IS 'the call that makes the state, without its version suffix';
COMMENT ON COLUMN main.slices.op IS 'the exposed op, or the one that ends the gap';
COMMENT ON COLUMN main.slices.thread IS 'name of the thread whose state it is';
COMMENT ON COLUMN main.slices.process IS 'name of its process';
COMMENT ON COLUMN main.slices.nvtx IS 'path of the innermost NVTX range of the process''s main thread';
COMMENT ON COLUMN main.slices.step IS 'the step in which it begins, as in steps; NULL where there is none';
COMMENT ON VIEW gap_slices IS 'the slices of each gap';
COMMENT ON COLUMN gap_slices.gap_id IS 'as in gaps';
COMMENT ON COLUMN gap_slices.slices IS 'start_ns, end_ns, state, call, cause and basis of each, in order';
