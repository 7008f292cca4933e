-- Calls that allocate or free; and what follows until the next launch, where such a call spans the start of the gap
-- (cudaFree waits for the whole device, so it takes the run-ahead like a synchronize call).
CREATE VIEW states_memory_management AS
SELECT 'memory' AS state, 32 AS precedence, 'seen' AS basis;

CREATE VIEW claims_memory_management AS
SELECT slice_id, 42 AS precedence, 'inferred' AS basis
FROM slices
WHERE blocked_for = 'memory' AND state IN ('submit', 'run') AND was_ahead;

CREATE VIEW fix_memory_management AS
WITH calls_made AS (
    SELECT t.text AS name, sum(s.end_ns - s.start_ns) AS lost_ns
    FROM slices AS s
    LEFT JOIN strings AS t ON t.string_id = s.name_id
    WHERE s.state = 'memory'
    GROUP BY t.text
    ORDER BY lost_ns DESC
    LIMIT 1
)

SELECT CASE
    WHEN (SELECT name FROM calls_made) LIKE '%Host%' THEN
        'Allocate and pin host memory once and use it again: keep a pinned staging buffer, do not call pin_memory() or '
        || 'cudaHostAlloc in the loop (DataLoader(pin_memory=True) recycles its own).'
    ELSE 'Let the caching allocator keep what it has: no torch.cuda.empty_cache() in the loop, fixed shapes or '
        || 'PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True against fragmentation; in C++ use cudaMallocAsync or a pool.'
END AS fix;

COMMENT ON VIEW states_memory_management IS 'memory was allocated, freed or pinned';
COMMENT ON COLUMN states_memory_management.state IS 'as in slices';
COMMENT ON COLUMN states_memory_management.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN states_memory_management.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW claims_memory_management IS 'slices that it claims for what is around them';
COMMENT ON COLUMN claims_memory_management.slice_id IS 'as in slices';
COMMENT ON COLUMN claims_memory_management.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN claims_memory_management.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW fix_memory_management IS 'Keep memory cached: no empty_cache() or cudaMalloc and cudaFree in the loop; pin once.';
COMMENT ON COLUMN fix_memory_management.fix IS 'what to change, for what was seen';
