/* cause
meaning = "activities were queued and ready, and the GPU took its time between two"
usual_fix = "Fuse small kernels, or submit the step as one CUDA graph."
needs = ["graph_nodes"]
color = "#4cd1fc"
color_dark = "#a7d6fa"
# the GPU needs 0.8 to 1.3 us between two queued kernels: healthy programs with kernels of 25 us lose 4 to 6 % to it
# (resnet50, gil_fixed)
finding_share = 0.10
finding_gain = 0.10

[[states]]
state = "queued"
priority = 70

[remove]
segments = false
queue = true
*/

-- reads: count_of, devices, window_segments, window_unit
CREATE VIEW fix_queue_latency AS
SELECT
    format(
        'The GPU itself needs {:.1f} us between two activities that are queued already (median), {} {}. Fewer '
        || 'and larger activities help: torch.compile or hand-written fusion, one CUDA graph, larger batches.',
        median(s.end_ns - s.start_ns) / 1000,
        count_of(count(*) / any_value(u.units) / (SELECT count(*) FROM devices), 'time'),
        CASE any_value(u.unit) WHEN 'window' THEN 'in all' ELSE 'for each ' || any_value(u.unit) END
    ) AS fix
FROM window_segments AS s
CROSS JOIN window_unit AS u
WHERE s.cause = 'queue_latency';
