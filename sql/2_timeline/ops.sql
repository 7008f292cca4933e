-- Every piece of GPU work on one timeline, with the call that submitted it.
CREATE TYPE op_kind AS ENUM ('compute', 'communication', 'copy');

-- Kernels that only move data between GPUs, or wait for other ranks: NCCL's, and the all-reduce kernels of
-- vLLM, TensorRT-LLM and PyTorch's symmetric memory.
CREATE VIEW communication_names AS
SELECT string_id
FROM strings
WHERE regexp_matches(
    text, '^(nccl|rccl|nvshmem|cross_device_reduce|multimem_|one_?shot_?all_?reduce|two_?shot_?all_?reduce)', 'i'
);

CREATE TABLE ops AS
WITH work AS (
    SELECT
        op_id, start_ns, end_ns, gpu, pid, stream, correlation_id, name_id,
        CAST(
            CASE WHEN name_id IN (SELECT string_id FROM communication_names) THEN 'communication' ELSE 'compute' END
            AS op_kind
        ) AS kind
    FROM kernels
    UNION ALL
    SELECT op_id, start_ns, end_ns, gpu, pid, stream, correlation_id, NULL, CAST('copy' AS op_kind) FROM copies
    UNION ALL
    SELECT op_id, start_ns, end_ns, gpu, pid, stream, correlation_id, NULL, CAST('compute' AS op_kind) FROM graph_launches
)

SELECT
    w.op_id,
    w.kind,
    w.gpu,
    w.pid,
    w.stream,
    w.start_ns,
    w.end_ns,
    w.name_id,
    l.global_tid,
    l.start_ns AS launch_start_ns,
    l.end_ns AS launch_end_ns
FROM work AS w
LEFT JOIN launches AS l ON l.pid = w.pid AND l.correlation_id = w.correlation_id
-- no host has more: other numbers are damage
WHERE w.gpu BETWEEN 0 AND 255;

-- A damaged trace may give an id to several calls; one row for each op, so that none is ever counted twice. They are looked for
-- only where there are more rows than sound ones in the export: to group a million takes fifty times as long as to count them.
CREATE TABLE repeated_ops AS
WITH recorded AS (
    SELECT "start", "end", deviceId FROM export.CUPTI_ACTIVITY_KIND_KERNEL
    UNION ALL
    SELECT "start", "end", deviceId FROM export.CUPTI_ACTIVITY_KIND_MEMCPY
    UNION ALL
    SELECT "start", "end", deviceId FROM export.CUPTI_ACTIVITY_KIND_MEMSET
    UNION ALL
    SELECT "start", "end", deviceId FROM export.CUPTI_ACTIVITY_KIND_GRAPH_TRACE
)

SELECT op_id, kind, gpu, pid, stream, start_ns, end_ns, name_id, min(global_tid), min(launch_start_ns), min(launch_end_ns)
FROM ops
WHERE (SELECT count(*) FROM ops) > (SELECT count(*) FROM recorded WHERE is_interval("start", "end") AND deviceId BETWEEN 0 AND 255)
GROUP BY ALL
HAVING count(*) > 1;

DELETE FROM ops WHERE op_id IN (SELECT op_id FROM repeated_ops);
INSERT INTO ops FROM repeated_ops;
DROP TABLE repeated_ops;

-- A stream runs its ops one after the other, and all end about when the CPU does, so an op cannot go on while the third op
-- after it on its stream begins (the next one may: a dependent launch starts early), nor begin before the third one before it
-- has ended, nor go on for an hour after the last call, and for ten times as long as all that was recorded. One that does, and
-- takes more than a twentieth of the trace, has a damaged time, would cover real gaps, and is left out. The nodes of a CUDA
-- graph share a launch, and run side by side.
CREATE TABLE overrunning_ops AS
WITH traced AS (
    SELECT
        min(start_ns) AS start_ns,
        max(start_ns) AS last_start_ns,
        greatest(max(start_ns), (SELECT max(end_ns) FROM launches)) AS end_ns
    FROM ops
),

long_ops AS (
    SELECT o.op_id, o.pid, o.gpu, o.stream, o.end_ns - t.end_ns > greatest(3600000000000, 10 * (t.end_ns - t.start_ns)) AS outlives
    FROM ops AS o, traced AS t
    WHERE o.end_ns - o.start_ns > (t.last_start_ns - t.start_ns) / 20
),

followed AS (
    SELECT
        op_id,
        end_ns > lead(start_ns, 3) OVER by_start AND launch_start_ns <> lead(launch_start_ns, 3) OVER by_start AS late,
        start_ns < lag(end_ns, 3) OVER by_end AND launch_start_ns <> lag(launch_start_ns, 3) OVER by_end AS early
    FROM ops
    WHERE (pid, gpu, stream) IN (SELECT (pid, gpu, stream) FROM long_ops)
    WINDOW
        by_start AS (PARTITION BY pid, gpu, stream ORDER BY start_ns, op_id),
        by_end AS (PARTITION BY pid, gpu, stream ORDER BY end_ns, op_id)
)

SELECT l.op_id
FROM long_ops AS l
INNER JOIN followed AS f ON f.op_id = l.op_id
WHERE l.outlives OR f.late OR f.early;

DELETE FROM ops WHERE op_id IN (SELECT op_id FROM overrunning_ops);

COMMENT ON VIEW communication_names IS 'names of kernels that communicate';
COMMENT ON COLUMN communication_names.string_id IS 'the name, in strings';
COMMENT ON TABLE ops IS 'every piece of GPU work: kernels, copies, fills and whole graphs';
COMMENT ON COLUMN ops.op_id IS 'unique number; the same at every run';
COMMENT ON COLUMN ops.kind IS 'compute (kernels and graphs), communication (NCCL kernels) or copy (copies and fills)';
COMMENT ON COLUMN ops.gpu IS 'physical GPU';
COMMENT ON COLUMN ops.pid IS 'process that submitted it';
COMMENT ON COLUMN ops.stream IS 'CUDA stream, unique within process and GPU';
COMMENT ON COLUMN ops.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN ops.end_ns IS 'GPU end, ns';
COMMENT ON COLUMN ops.name_id IS 'name of a kernel, in strings; NULL for copies, fills and whole graphs';
COMMENT ON COLUMN ops.global_tid IS 'the submitter; NULL where the trace has no call for the op';
COMMENT ON COLUMN ops.launch_start_ns IS 'CPU start of the submitting call, ns';
COMMENT ON COLUMN ops.launch_end_ns IS 'CPU end of the submitting call, ns';
COMMENT ON TABLE overrunning_ops IS 'ops that were left out, since they go on for longer than they can have';
COMMENT ON COLUMN overrunning_ops.op_id IS 'as in kernels, copies and graph_launches';
