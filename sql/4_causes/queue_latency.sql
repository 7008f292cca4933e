-- 50 us: between two queued ops an H200's front end takes 0.8 to 3 us, and 10 us where the next is a graph or a copy.
-- What waits longer waits for something that the trace does not show.
CREATE VIEW claims_queue_latency AS
SELECT slice_id, 70 AS precedence, 'seen' AS basis
FROM slices
WHERE state = 'queued' AND end_ns - start_ns < 50000;

CREATE VIEW fix_queue_latency AS
SELECT format(
    'The GPU itself needs {:.1f} us between two ops that are queued already (median), {:.0f} times a step. Fewer and larger ops help: '
    || 'torch.compile or hand-written fusion, one CUDA graph for the step, larger batches.',
    median(s.end_ns - s.start_ns) / 1000, count(*) / any_value(w.steps)
) AS fix
FROM claims_queue_latency AS c
INNER JOIN slices AS s ON s.slice_id = c.slice_id
CROSS JOIN "window" AS w;

COMMENT ON VIEW claims_queue_latency IS 'ops were queued and ready, and the GPU took its time between two';
COMMENT ON COLUMN claims_queue_latency.slice_id IS 'as in slices';
COMMENT ON COLUMN claims_queue_latency.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN claims_queue_latency.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW fix_queue_latency IS 'Fuse small kernels, or submit the step as one CUDA graph.';
COMMENT ON COLUMN fix_queue_latency.fix IS 'what to change, for what was seen';
