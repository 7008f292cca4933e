/* cause
meaning = "the CPU launched many small activities, slower than the GPU ran them"
usual_fix = "CUDA graphs, torch.compile, fused optimizers, larger batches: fewer launches, each with more work."
color = "#734dc4"
color_dark = "#7e75f0"
finding_gain = 0.10  # a graph also takes away the pace of the GPU itself between activities: see queue_latency

[[states]]
state = "launch"
priority = 60

[remove]
segments = false
graph = true
*/

-- Launches and the code between two of them are a state. Here: the hand-over from one launching thread to the other, in which for
-- less than own work takes each is seen waiting (waking a thread takes 50 to 100 us).
-- reads: own_work_ns, segments
CREATE VIEW rules_launch_bound AS
SELECT segment_id, 60 AS priority, 'seen' AS basis
FROM segments
WHERE state = 'wait' AND end_ns - start_ns < own_work_ns();

-- No optimizer runs in a validation, for a token or for a request.
-- reads: count_of, framework, requests, window_activities, window_unit
CREATE VIEW fix_launch_bound AS
WITH launched AS (
    SELECT
        CASE any_value(u.unit) WHEN 'window' THEN 'The program' ELSE 'Each ' || any_value(u.unit) END AS who,
        count(*) / any_value(u.units) AS activities,
        median(a.end_ns - a.start_ns) / 1000 AS median_us,
        any_value(u.unit) IN ('validation', 'token') OR EXISTS (FROM requests) AS only_infers,
        any_value(f.framework) AS framework
    FROM window_activities AS a, window_unit AS u, framework AS f
)

SELECT
    CASE
        WHEN activities < 2
            THEN
                who || ' is one launch already: queue the next one before it ends, so that the GPU need not wait for the CPU '
                || 'work between two.'
        ELSE format(
            '{} launches {} (median {:.1f} us) one by one, slower than the GPU runs them. ',
            who, count_of(activities, 'activity'), median_us
        )
        || CASE framework
            WHEN 'pytorch'
                THEN
                    'Launch them together: a CUDA graph (torch.cuda.CUDAGraph, torch.compile(mode="reduce-overhead")), '
                    || CASE WHEN only_infers THEN '' ELSE 'fused or foreach optimizers (AdamW(fused=True)), ' END
                    || 'torch.compile, or larger batches.'
            WHEN 'jax'
                THEN
                    'Put more of them into one jax.jit, so that XLA fuses them and launches them as one graph, or take larger '
                    || 'batches; a loop inside of it (jax.lax.scan) launches none from Python.'
            ELSE
                'Launch them together: a CUDA graph (cudaStreamBeginCapture; in PyTorch torch.compile(mode="reduce-overhead")), '
                || 'fused kernels, or larger batches.'
        END
    END AS fix
FROM launched;
