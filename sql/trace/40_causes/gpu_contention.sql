/* cause
meaning = "another program had the GPU"
usual_fix = "Find the other program with nvidia-smi, and give each a GPU of its own; with MPS, programs share one without turns."
color = "#5f9e1f"
color_dark = "#79d021"
remove = false
*/

-- Work that was launched in time and waits while another program has its turn. A turn of 2 ms explains the whole wait of 2.4 ms
-- around it: that is how long the GPU takes to change contexts.
-- reads: other_turns, segments
CREATE VIEW rules_gpu_contention AS
SELECT s.segment_id, 63 AS priority, 'seen' AS basis
FROM (
    SELECT segment_id, gpu, start_ns + (end_ns - start_ns) // 2 AS middle_ns FROM segments WHERE state IN ('queued', 'stalled')
) AS s
ASOF INNER JOIN other_turns AS t ON t.gpu = s.gpu AND s.middle_ns >= t.start_ns
WHERE s.middle_ns < t.end_ns;

-- reads: held_gpus
CREATE VIEW fix_gpu_contention AS
SELECT
    format(
        'Another program holds GPU {} for {:.2f} ms at a time (median). Find it with nvidia-smi, and give each program a GPU of '
        || 'its own; with MPS, programs share one without turns.',
        gpu, turn_ns / 1e6
    ) AS fix
FROM held_gpus
ORDER BY held_ns DESC
LIMIT 1;

-- A kernel that is interrupted seems to run.
-- reads: causes, held_gpus
CREATE VIEW notes_gpu_contention AS
SELECT
    format(
        'GPU {} was held by programs that are not in this trace for {:.1f} % of the window, {:.2f} ms at a time (median), as '
        || 'GPU context switches tell: kernels that were interrupted seem to take longer. Look for these programs with '
        || 'nvidia-smi, and capture without them.',
        gpu, 100 * share, turn_ns / 1e6
    ) AS note
FROM held_gpus
WHERE share >= (SELECT finding_share FROM causes WHERE cause = 'gpu_contention');

-- reads: recorded_tables
CREATE VIEW unknown_gpu_contention AS
SELECT 'the trace holds no GPU context switches (nsys records them with --gpuctxsw=true, for the administrator)' AS reason
WHERE 'GPU_CONTEXT_SWITCH_EVENTS' NOT IN (SELECT table_name FROM recorded_tables);
