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

-- reads: count_of, framework, is_steps, window, window_activities
CREATE VIEW fix_launch_bound AS
SELECT
    format(
        '{} launches {} (median {:.1f} us) one by one, slower than the GPU runs them. {}',
        CASE
            WHEN NOT is_steps(any_value(w.regime)) THEN 'Each ' || any_value(w.regime)
            WHEN any_value(w.source) IN ('nvtx', 'launch period') OR any_value(w.steps) > 1 THEN 'Each step'
            ELSE 'The program'
        END,
        count_of(count(*) / any_value(w.steps), 'activity'),
        median(a.end_ns - a.start_ns) / 1000,
        CASE any_value(f.framework)
            WHEN 'pytorch'
                THEN
                    'Launch them together: a CUDA graph (torch.cuda.CUDAGraph, torch.compile(mode="reduce-overhead")), fused or '
                    || 'foreach optimizers (AdamW(fused=True)), torch.compile, or larger batches.'
            WHEN 'jax'
                THEN
                    'Put more of the step into one jax.jit, so that XLA fuses it and launches it as one graph, or take larger '
                    || 'batches; a loop over the steps inside of it (jax.lax.scan) launches none from Python.'
            ELSE
                'Launch them together: a CUDA graph (cudaStreamBeginCapture; in PyTorch torch.compile(mode="reduce-overhead")), '
                || 'fused kernels, or larger batches.'
        END
    ) AS fix
FROM window_activities AS a, "window" AS w, framework AS f;
