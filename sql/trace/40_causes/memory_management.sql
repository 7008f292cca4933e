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
wholly = true
*/

-- Calls that allocate or free are a state. Here: what follows until the next launch, where such a call spans the start of the gap
-- (cudaFree waits for the whole device, so that it takes the run-ahead like a synchronize call). And the first synchronize call
-- after a cudaFreeAsync, which goes on although the GPU has ended: the pool gives back to the driver what was freed.
--
-- 50 us: a synchronize call returns within 20 us after the GPU has ended, and took 250 us to give 200 MB back (H200).
-- reads: blocking_calls, call_families, calls, lost_run_ahead, segments
CREATE VIEW rules_memory_management AS
WITH frees AS (
    SELECT global_tid, start_ns
    FROM calls
    WHERE name_id IN (SELECT string_id FROM call_families WHERE name IN ('cudaFreeAsync', 'cuMemFreeAsync'))
)

SELECT s.segment_id, 42 AS priority, 'inferred' AS basis
FROM segments AS s
INNER JOIN lost_run_ahead AS r ON r.gap_id = s.gap_id AND r.blocked_for = 'memory'
WHERE s.state IN ('launch', 'run') AND s.lacks_run_ahead
UNION ALL
SELECT s.segment_id, 38, 'inferred'
FROM (SELECT * FROM segments WHERE state = 'sync' AND end_ns - start_ns >= 50000) AS s
ASOF INNER JOIN frees AS f ON f.global_tid = s.on_global_tid AND s.start_ns >= f.start_ns
ASOF INNER JOIN (SELECT * FROM blocking_calls WHERE waits_for IN ('sync', 'download')) AS w
    ON w.global_tid = f.global_tid AND f.start_ns <= w.start_ns
WHERE w.start_ns <= s.start_ns AND w.end_ns >= s.end_ns;

-- reads: call_names, framework, window_segments
CREATE VIEW fix_memory_management AS
WITH called AS (
    SELECT
        coalesce(arg_max(name, lost_ns) LIKE '%Host%', false) AS of_host,
        -- in calls that end in Async, or that synchronize
        2 * sum(CASE WHEN state = 'sync' OR ends_with(name, 'Async') THEN lost_ns END) >= sum(lost_ns) AS of_pool
    FROM (
        SELECT c.name, s.state, sum(s.end_ns - s.start_ns) AS lost_ns
        FROM window_segments AS s
        INNER JOIN call_names AS c ON c.string_id = s.name_id
        WHERE s.cause = 'memory_management'
        GROUP BY c.name, s.state
    )
)

SELECT
    CASE
        WHEN of_host
            THEN
                'Allocate and pin host memory once and use it again: keep a pinned staging buffer, do not call '
                || CASE framework WHEN 'pytorch' THEN 'pin_memory() or ' ELSE '' END || 'cudaHostAlloc in the loop'
                || CASE framework WHEN 'pytorch' THEN ' (DataLoader(pin_memory=True) recycles its own).' ELSE '.' END
        WHEN of_pool
            THEN
                'The pool of cudaMallocAsync gives back at each synchronization what was freed, and has to get it again. Let it '
                || 'keep that: set its cudaMemPoolAttrReleaseThreshold.'
        WHEN framework = 'pytorch'
            THEN
                'Let the caching allocator keep what it has: no torch.cuda.empty_cache() in the loop, no '
                || 'PYTORCH_NO_CUDA_MEMORY_CACHING, and against fragmentation fixed shapes or '
                || 'PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.'
        WHEN framework = 'jax'
            THEN
                'Let XLA keep its memory: set neither XLA_PYTHON_CLIENT_ALLOCATOR=platform, which frees it at once, nor '
                || 'XLA_PYTHON_CLIENT_PREALLOCATE=false, with which it grows.'
        WHEN framework = 'cupy'
            THEN
                'Take memory from CuPy''s pool, and let that keep it: no set_allocator(None), and no free_all_blocks() in '
                || 'the loop.'
        ELSE 'Allocate once and use the memory again, or use cudaMallocAsync or a pool.'
    END AS fix
FROM called, framework;

-- reads: lines_that_wait
CREATE VIEW lines_memory_management AS
FROM lines_that_wait('memory_management', ['memory']);
