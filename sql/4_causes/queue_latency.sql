CREATE VIEW states_queue_latency AS
SELECT 'queued' AS state, 70 AS precedence, 'seen' AS basis;

CREATE VIEW fix_queue_latency AS
SELECT format(
    'The GPU itself needs {:.1f} us between two ops that are queued already (median), {:.0f} times a step. Fewer and larger ops help: '
    || 'torch.compile or hand-written fusion, one CUDA graph for the step, larger batches.',
    median(s.end_ns - s.start_ns) / 1000, count(*) / any_value(w.steps)
) AS fix
FROM slices AS s
CROSS JOIN "window" AS w
WHERE s.state = 'queued';

COMMENT ON VIEW states_queue_latency IS 'ops were queued and ready, and the GPU took its time between two';
COMMENT ON COLUMN states_queue_latency.state IS 'as in slices';
COMMENT ON COLUMN states_queue_latency.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN states_queue_latency.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW fix_queue_latency IS 'Fuse small kernels, or submit the step as one CUDA graph.';
COMMENT ON COLUMN fix_queue_latency.fix IS 'what to change, for what was seen';
