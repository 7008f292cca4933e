-- What the replay lets the GPU do again, in the order of its launches.
CREATE VIEW replay_ops AS
SELECT
    o.op_id,
    CAST(o.kind AS VARCHAR) AS kind,
    o.gpu,
    o.stream,
    o.global_tid,
    o.start_ns,
    o.end_ns,
    o.launch_start_ns,
    o.launch_end_ns,
    coalesce(k.all_arrived_ns, o.start_ns) AS all_arrived_ns,
    coalesce(c.direction, '') AS direction,
    coalesce(c.pageable, false) AS pageable,
    coalesce(c.bytes, 0) AS bytes
FROM window_ops AS o
INNER JOIN replay_window AS w ON w.pid = o.pid AND o.start_ns >= w.start_ns AND o.start_ns < w.end_ns
LEFT JOIN copies AS c ON c.op_id = o.op_id
LEFT JOIN collectives AS k ON k.op_id = o.op_id
WHERE o.launch_start_ns IS NOT NULL
ORDER BY o.launch_start_ns, o.launch_end_ns, o.global_tid, o.start_ns, o.op_id;

COMMENT ON VIEW replay_ops IS 'ops that are replayed, in the order of their launches';
COMMENT ON COLUMN replay_ops.op_id IS 'as in ops';
COMMENT ON COLUMN replay_ops.kind IS 'compute, communication or copy';
COMMENT ON COLUMN replay_ops.gpu IS 'physical GPU';
COMMENT ON COLUMN replay_ops.stream IS 'CUDA stream';
COMMENT ON COLUMN replay_ops.global_tid IS 'the submitter';
COMMENT ON COLUMN replay_ops.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN replay_ops.end_ns IS 'GPU end, ns';
COMMENT ON COLUMN replay_ops.launch_start_ns IS 'CPU start of the submitting call, ns';
COMMENT ON COLUMN replay_ops.launch_end_ns IS 'CPU end of the submitting call, ns';
COMMENT ON COLUMN replay_ops.all_arrived_ns IS 'when the last rank came to a collective, ns; the start of any other op';
COMMENT ON COLUMN replay_ops.direction IS 'of a copy, as in copies; empty for a kernel';
COMMENT ON COLUMN replay_ops.pageable IS 'true for a copy from or to pageable memory';
COMMENT ON COLUMN replay_ops.bytes IS 'size of a copy, bytes';
