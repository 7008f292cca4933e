-- One row for each time that a context held a GPU, from the start of its restoring to the end of its saving. The GPU's contexts
-- are those of all programs on it; the process is written as the host numbers it, which in a container is another number.
-- reads: is_interval, export.ENUM_GPU_CTX_SWITCH, export.GPU_CONTEXT_SWITCH_EVENTS
CREATE TABLE gpu_turns AS
WITH switches AS (
    SELECT e.gpuId AS gpu, e.globalPid AS global_pid, e.contextId AS context, e."timestamp" AS at_ns, k.name AS kind, e.seqNo
    FROM export.GPU_CONTEXT_SWITCH_EVENTS AS e
    INNER JOIN (SELECT id, min(name) AS name FROM export.ENUM_GPU_CTX_SWITCH GROUP BY id) AS k ON k.id = e.tag
    WHERE k.name IN ('RESTORE_START', 'SAVE_END') AND e.gpuId IS NOT NULL AND is_interval(e."timestamp", e."timestamp")
),

turns AS (
    SELECT
        gpu,
        dense_rank() OVER (ORDER BY gpu, global_pid, context) AS context,
        at_ns AS start_ns,
        lead(at_ns) OVER following AS end_ns,
        kind = 'RESTORE_START' AND lead(kind) OVER following = 'SAVE_END' AS whole
    FROM switches
    WINDOW following AS (PARTITION BY gpu, global_pid, context ORDER BY at_ns, seqNo, kind)
)

SELECT gpu, CAST(context AS INTEGER) AS context, start_ns, end_ns
FROM turns
WHERE whole;

COMMENT ON TABLE gpu_turns IS 'when contexts held a GPU, those of other programs too; empty where GPU context switches were not traced';
COMMENT ON COLUMN gpu_turns.gpu IS 'physical GPU';
COMMENT ON COLUMN gpu_turns.context IS 'number of the context, unique in the trace';
COMMENT ON COLUMN gpu_turns.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN gpu_turns.end_ns IS 'end, ns';
