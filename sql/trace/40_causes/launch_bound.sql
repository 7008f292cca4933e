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

-- reads: count_of, window, window_activities
CREATE VIEW fix_launch_bound AS
SELECT
    format(
        'Each step launches {} (median {:.1f} us) one by one, slower than the GPU runs them. Launch them '
        || 'together: a CUDA graph (torch.cuda.CUDAGraph, torch.compile(mode="reduce-overhead")), fused or foreach optimizers '
        || '(AdamW(fused=True)), torch.compile, or larger batches.',
        count_of(count(*) / any_value(w.steps), 'activity'), median(a.end_ns - a.start_ns) / 1000
    ) AS fix
FROM window_activities AS a, "window" AS w;
