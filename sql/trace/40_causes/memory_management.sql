/* cause
meaning = "memory was allocated, freed or pinned"
usual_fix = "Keep memory cached: no empty_cache() or cudaMalloc and cudaFree in the loop; pin once."
color = "#aeae4c"
color_dark = "#a2ce7b"

[[states]]
state = "memory"
priority = 32

[remove]
segments = false
states = ["memory"]
waits = ["memory"]
*/

-- Calls that allocate or free are a state. Here: what follows until the next launch, where such a call spans the start of the gap
-- (cudaFree waits for the whole device, so that it takes the run-ahead like a synchronize call).
-- reads: lost_run_ahead, segments
CREATE VIEW rules_memory_management AS
SELECT s.segment_id, 42 AS priority, 'inferred' AS basis
FROM segments AS s
INNER JOIN lost_run_ahead AS r ON r.gap_id = s.gap_id AND r.blocked_for = 'memory'
WHERE s.state IN ('launch', 'run') AND s.lacks_run_ahead;

-- reads: framework, strings, window_segments
CREATE VIEW fix_memory_management AS
WITH called AS (
    SELECT coalesce(arg_max(name, lost_ns) LIKE '%Host%', false) AS of_host
    FROM (
        SELECT t.text AS name, sum(s.end_ns - s.start_ns) AS lost_ns
        FROM window_segments AS s
        INNER JOIN strings AS t ON t.string_id = s.name_id
        WHERE s.cause = 'memory_management'
        GROUP BY t.text
    )
)

SELECT
    CASE
        WHEN of_host
            THEN
                'Allocate and pin host memory once and use it again: keep a pinned staging buffer, do not call '
                || CASE framework WHEN 'pytorch' THEN 'pin_memory() or ' ELSE '' END || 'cudaHostAlloc in the loop'
                || CASE framework WHEN 'pytorch' THEN ' (DataLoader(pin_memory=True) recycles its own).' ELSE '.' END
        WHEN framework = 'pytorch'
            THEN
                'Let the caching allocator keep what it has: no torch.cuda.empty_cache() in the loop, no '
                || 'PYTORCH_NO_CUDA_MEMORY_CACHING, and against fragmentation fixed shapes or '
                || 'PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.'
        WHEN framework = 'jax' THEN 'Let XLA allocate its memory beforehand: do not set XLA_PYTHON_CLIENT_PREALLOCATE=false.'
        WHEN framework = 'cupy' THEN 'Let the memory pool keep what it has: no free_all_blocks() in the loop.'
        ELSE 'Allocate once and use the memory again, or use cudaMallocAsync or a pool.'
    END AS fix
FROM called, framework;
