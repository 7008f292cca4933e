-- One row for each time that a context held a GPU, from the start of its restoring to the end of its saving. The GPU's contexts
-- are those of all programs on it; the process is written as the host numbers it, which in a container is another number.
-- reads: is_interval, listed_kinds, export.ENUM_GPU_CTX_SWITCH, export.GPU_CONTEXT_SWITCH_EVENTS
CREATE TABLE gpu_turns AS
WITH switches AS (
    SELECT e.gpuId AS gpu, e.globalPid AS global_pid, e.contextId AS context, e."timestamp" AS at_ns, k.name AS kind, e.seqNo
    FROM export.GPU_CONTEXT_SWITCH_EVENTS AS e
    INNER JOIN listed_kinds('export.ENUM_GPU_CTX_SWITCH') AS k ON k.id = e.tag
    WHERE k.name IN ('RESTORE_START', 'SAVE_END') AND e.gpuId IS NOT NULL AND is_interval(e."timestamp", e."timestamp")
),

turns AS (
    SELECT
        gpu,
        dense_rank() OVER (ORDER BY gpu, global_pid, context) AS context,
        at_ns,
        kind,
        lead(at_ns) OVER following AS next_ns,
        lead(kind) OVER following AS next_kind,
        lag(kind) OVER following AS kind_before
    FROM switches
    WINDOW following AS (PARTITION BY gpu, global_pid, context ORDER BY at_ns, seqNo, kind)
)

SELECT
    gpu,
    CAST(context AS INTEGER) AS context,
    CASE WHEN kind = 'RESTORE_START' THEN at_ns END AS start_ns,
    CASE WHEN kind = 'SAVE_END' THEN at_ns WHEN next_kind = 'SAVE_END' THEN next_ns END AS end_ns
FROM turns
-- an end whose start is not in the trace is a turn, too
WHERE kind = 'RESTORE_START' OR kind_before IS DISTINCT FROM 'RESTORE_START';

COMMENT ON TABLE gpu_turns IS 'when contexts held a GPU, those of other programs too; empty where GPU context switches were not traced';
COMMENT ON COLUMN gpu_turns.context IS 'number of the context, unique in the trace';
COMMENT ON COLUMN gpu_turns.start_ns IS 'start, ns since the session began; NULL where it is not in the trace';
COMMENT ON COLUMN gpu_turns.end_ns IS 'end, ns; NULL where it is not in the trace';
