/* cause
meaning = "GPU code was loaded, compiled or autotuned"
usual_fix = "Warm every shape up before the loop, load modules eagerly, avoid recompilation."
color = "#8c0157"
color_dark = "#9d486c"
names = [
    "recompil(e|ing|ation)",
    "autotun(e|ing)",
    "(compile|build|load)_?(the_?)?(kernel|module|engine)",
]
names_proven_by = ["module"]
library_names = [
    "^Xla(Compile|Pass|Autotune|EmitLlvm|EmitGpu|OptimizeLlvm|CreateGpu|MemoryScheduler|BufferAssignment)[A-Za-z]*(:#.*)?$",
]
frames = [
    "torch/_dynamo/convert_frame\\.py:",
    "torch/_inductor/async_compile\\.py:",
    "torch/_inductor/runtime/triton_heuristics\\.py:(precompile|autotune_to_one_config|benchmark_all_configs)\\b",
    "torch/utils/cpp_extension\\.py:",
    "triton/compiler/compiler\\.py:(compile|make_ir|_init_handles)\\b",
    "jax/_src/(compiler|interpreters/mlir)\\.py:",
    "(cupy/cuda|numba/cuda)/compiler\\.py:",
]
libraries = [
    "^libnvrtc",
    "^libnvJitLink",
    "^libnvvm",
    "^libLLVM",
    "^libtriton",
    "^ptxas$",
    "^libnvidia-(ptxjitcompiler|nvvm)",
]
functions = [
    "\\b(mlir|llvm)::",
    "^xla::.*(\\bCompile\\w*\\(|Autotun)",
]

[[states]]
state = "module"
priority = 32

[remove]
states = ["module"]
wholly = true  # a launch that loads its kernel is one of those calls
*/

-- Calls that load GPU code are a state. Here: code that samples see in a compiler, and launches that they see there, since an
-- autotuner measures what it compiles; the short file calls after such a sample, since a compiler reads headers and its cache;
-- the code of the gaps in which GPU code is loaded, since it compiles what is then loaded, unless samples see it elsewhere; time
-- in a range that is named after compiling, as XLA names its own; and slow launches of kernels that have not run before, since
-- they load them lazily.
-- reads: gap_facts, gaps, library_segments, matched_segments, named_ranges, own_work_ns, sample_matches
-- reads: sampled_elsewhere, sampled_launches, segments, slow_launch_segments
CREATE VIEW rules_module_loading AS
WITH compiling AS (
    SELECT segment_id FROM matched_segments WHERE cause = 'module_loading'
),

elsewhere AS (
    FROM sampled_elsewhere('cpu', 'module_loading')
)

SELECT segment_id, 31 AS priority, 'seen' AS basis
FROM compiling
UNION ALL
SELECT segment_id, 31, 'seen'
FROM sampled_launches
WHERE cause = 'module_loading'
UNION ALL
SELECT i.segment_id, 28, 'inferred'
FROM (SELECT * FROM segments WHERE state = 'io' AND end_ns - start_ns < own_work_ns()) AS i
INNER JOIN gaps AS g ON g.gap_id = i.gap_id
ASOF INNER JOIN sample_matches AS m ON m.global_tid = i.on_global_tid AND i.start_ns >= m.at_ns
WHERE m.at_ns >= g.start_ns AND m.cause = 'module_loading'
UNION ALL
SELECT s.segment_id, 33, 'inferred'
FROM segments AS s
INNER JOIN gap_facts AS f ON f.gap_id = s.gap_id AND f.loads_module
ANTI JOIN elsewhere AS e ON e.segment_id = s.segment_id
WHERE s.state IN ('run', 'launch', 'wait', 'sleep')
UNION ALL
SELECT s.segment_id, 33, 'named'
FROM segments AS s
INNER JOIN named_ranges AS n ON n.range_id = s.range_id AND n.cause = 'module_loading'
WHERE s.state IN ('run', 'launch', 'wait', 'sleep')
UNION ALL
SELECT s.segment_id, 33, 'named'
FROM segments AS s
INNER JOIN library_segments AS l ON l.segment_id = s.segment_id AND l.cause = 'module_loading'
WHERE s.state IN ('run', 'launch', 'wait', 'sleep')
UNION ALL
SELECT segment_id, 35, 'inferred' FROM slow_launch_segments WHERE loads_code;

-- Where samples find who compiles, the advice is for torch.compile, or for kernels of the program's own.
-- reads: activities, call_families, cpu_frame_matches, cpu_frames, framework, gap_facts, samples_in_segments
-- reads: stacks_in_segments, strings, thread_starts, window_segments
CREATE VIEW fix_module_loading AS
WITH compiling AS (
    SELECT f.sample_id, bool_or(regexp_matches(f.library, '^libcudnn')) AS for_cudnn
    FROM samples_in_segments AS c
    INNER JOIN cpu_frames AS f ON c.kind = 'cpu' AND f.sample_id = c.sample_id
    LEFT JOIN cpu_frame_matches AS l ON l.library = f.library AND l.function IS NOT DISTINCT FROM f.function
    WHERE c.cause = 'module_loading'
    GROUP BY f.sample_id
    HAVING bool_or(coalesce(l.cause = 'module_loading', false))
),

-- Where nothing samples the compiler, the kernel tells for which code was loaded: the first one that the thread launches then.
-- To load code takes less than 20 ms; to compile a kernel of cuDNN took 67 ms to 1.6 s (an encoder, a server).
loaded AS (
    SELECT
        sum(g.lost_ns) FILTER (regexp_matches(t.text, 'cudnn|^(conv2d_c1_k1|compute_dot_do_o)')) >= 0.5 * sum(g.lost_ns)
            AS for_cudnn
    FROM (
        SELECT e.global_tid, e.launch_start_ns, sum(s.end_ns - s.start_ns) AS lost_ns
        FROM window_segments AS s
        INNER JOIN activities AS e ON e.activity_id = s.gap_id
        WHERE s.cause = 'module_loading' AND s.gap_id IN (SELECT gap_id FROM gap_facts WHERE loads_module)
        GROUP BY e.activity_id, e.global_tid, e.launch_start_ns
        HAVING sum(s.end_ns - s.start_ns) >= 20000000
    ) AS g
    ASOF INNER JOIN (FROM activities WHERE kind = 'compute') AS a
        ON a.global_tid = g.global_tid AND g.launch_start_ns <= a.launch_start_ns
    INNER JOIN strings AS t ON t.string_id = a.name_id
),

-- cuDNN keeps its plans by thread; XLA compiles on threads of its own
by_thread AS (
    SELECT count(DISTINCT on_global_tid) AS threads
    FROM window_segments
    WHERE
        cause = 'module_loading' AND on_global_tid IN (SELECT global_tid FROM thread_starts)
        AND (SELECT framework FROM framework) IS DISTINCT FROM 'jax'
),

compilers AS (
    SELECT
        avg(CAST(regexp_matches(frames, 'torch/_(dynamo|inductor)/') AS INTEGER)) AS torch_compile,
        avg(CAST(regexp_matches(frames, '(cupy/cuda|numba/cuda)/compiler\.py:|triton/runtime/jit\.py:') AS INTEGER)) AS kernels
    FROM stacks_in_segments
    WHERE cause = 'module_loading'
),

unloads AS (
    SELECT 2 * count_if(contains(f.name, 'Unload')) >= count_if(contains(f.name, 'Load')) AS often
    FROM window_segments AS s
    INNER JOIN call_families AS f ON f.string_id = s.name_id
    WHERE s.cause = 'module_loading' AND regexp_matches(f.name, '(Module|Library)(Load|Unload)')
    HAVING count(*) > 0
)

SELECT
    CASE
        WHEN (SELECT threads >= 3 FROM by_thread)
            THEN
                format(
                    '{} threads that began meanwhile loaded or compiled, each for itself. Give the work to a few threads that '
                    || 'stay, and let each run every shape once as a warm-up.',
                    (SELECT threads FROM by_thread)
                )
        -- stacks are often cut off, so that not all have cuDNN on them
        WHEN (SELECT bool_or(for_cudnn) FROM compiling) OR (SELECT for_cudnn FROM loaded)
            THEN
                'cuDNN compiles kernels at run time, one for each shape that a thread has not run before, as for each length of '
                || 'a sequence or size of a batch. Pad to a few sizes and run each once as a warm-up, on the same thread, or '
                || 'use another implementation'
                || CASE framework
                    WHEN 'pytorch' THEN ' (torch.backends.cuda.enable_cudnn_sdp(False) for attention).'
                    ELSE '.'
                END
        -- XLA loads and unloads each candidate when it compiles
        WHEN NOT coalesce(framework = 'jax', false) AND (SELECT often FROM unloads)
            THEN
                'The code is unloaded again after its use, as where each step makes and destroys a plan of cuFFT, or loads a '
                || 'module of its own: make it once, and keep it.'
        WHEN kernels >= 0.5 AND torch_compile < 0.5
            THEN
                'Kernels are compiled from their source. If one is compiled again and again, a value is part of the source or '
                || 'the kernel is specialised for it (a constant formatted into the text, a variable of a closure, '
                || 'tl.constexpr): pass it as a plain argument. Compile before the loop: run each kernel once as a warm-up.'
        ELSE
            'Load and compile before the loop: run each shape once as a warm-up, and set CUDA_MODULE_LOADING=EAGER. '
            || CASE
                WHEN framework = 'pytorch'
                    THEN
                        'Keep the shapes fixed, or '
                        || CASE
                            WHEN coalesce(torch_compile > 0, true)
                                THEN
                                    'mark them dynamic so that torch.compile does not compile again (TORCH_LOGS=recompiles shows '
                                    || 'why), and '
                            ELSE ''
                        END
                        || 'turn autotuning off where they change (torch.backends.cudnn.benchmark=False).'
                WHEN framework = 'jax'
                    THEN
                        'Keep the shapes and static arguments of jax.jit fixed, so that XLA does not compile again '
                        || '(JAX_LOG_COMPILES=1 shows what it compiles).'
                ELSE 'Keep the shapes fixed, so that nothing is compiled again.'
            END
    END AS fix
FROM framework, compilers;
