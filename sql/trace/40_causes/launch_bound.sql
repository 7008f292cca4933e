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

-- Launches and the code between two of them are a state. Here: waits for less time than own work takes. Mostly one launching
-- thread wakes the other, which takes 50 to 100 us.
-- reads: launching_threads, long_wait_ns, segments
CREATE VIEW rules_launch_bound AS
SELECT
    segment_id,
    60 AS priority,
    CASE
        WHEN on_global_tid IN (SELECT global_tid FROM launching_threads WHERE awaited_global_tid IS NOT NULL) THEN 'seen'
        ELSE 'inferred'
    END AS basis
FROM segments
WHERE state = 'wait' AND end_ns - start_ns < long_wait_ns();

-- No optimizer runs in a validation, for a token or for a request, or where nothing runs backward. One that is fused needs no
-- advice, and neither does torch.compile where kernels are Triton's. In JAX, the phases of a step that is one program are its
-- parts. A graph that is captured for each few replays, or updated before each, costs more than it saves, and one fits one shape:
-- where the largest copy to the GPU has another size in each second step, shapes vary.
-- reads: calls, copies, count_of, devices, framework, is_xla_loop, phases, requests, strings, training_processes, window
-- reads: window_activities, window_regimes, window_steps, window_unit
CREATE VIEW fix_launch_bound AS
WITH launched AS (
    SELECT
        CASE any_value(u.unit) WHEN 'window' THEN 'The program' ELSE 'Each ' || any_value(u.unit) END AS who,
        any_value(u.units * g.gpus) AS units,  -- as many for each GPU
        count(*) / any_value(u.units * g.gpus) AS activities,
        median(a.end_ns - a.start_ns) / 1000 AS median_us,
        any_value(u.unit) IN ('validation', 'token') OR EXISTS (FROM requests) AS only_infers,
        any_value(f.framework) AS framework
    FROM window_activities AS a, window_unit AS u, framework AS f, (SELECT count(*) AS gpus FROM devices) AS g
),

updates AS (
    SELECT
        coalesce(bool_or(is_update AND regexp_matches(text, 'Fused|Adam|LAMB|SGD')), false) AS fused,
        coalesce(bool_or(is_update AND regexp_matches(text, 'BinaryOpListAlpha|PointwiseOp')), false) AS foreach,
        coalesce(bool_or(regexp_matches(text, '^triton_')), false) AS compiled,
        (SELECT count(*) > 0 FROM training_processes) AS trains
    FROM (SELECT text, contains(text, 'multi_tensor_apply') AS is_update FROM strings)
),

parts AS (
    SELECT
        coalesce(sum(p.activities) FILTER (is_xla_loop(p.phase)) / sum(p.activities), 0) AS looped,
        coalesce(
            any_value(regexp_matches(w.step_name, '^XlaModule'))
            AND sum(p.activities) FILTER (p.phase = '(outside of ranges)' OR regexp_matches(p.phase, '^XlaModule'))
            <= 0.1 * sum(p.activities),
            false
        ) AS one_program
    FROM phases AS p, "window" AS w
),

captured AS (
    SELECT
        count(CASE WHEN contains(t.text, 'GraphInstantiate') THEN 1 END) AS graphs,
        count(CASE WHEN contains(t.text, 'GraphLaunch') THEN 1 END) AS replays,
        count(CASE WHEN regexp_matches(t.text, 'GraphExec(Update|.*SetParams)') THEN 1 END) AS updates
    FROM calls AS c
    INNER JOIN strings AS t ON t.string_id = c.name_id
    ASOF INNER JOIN window_regimes AS r ON c.start_ns >= r.start_ns
    WHERE contains(t.text, 'Graph') AND c.start_ns < r.end_ns
),

copied AS (
    SELECT s.step, max(c.bytes) AS bytes
    FROM copies AS c
    INNER JOIN window_activities AS a ON a.activity_id = c.activity_id
    ASOF INNER JOIN window_steps AS s ON a.start_ns >= s.start_ns
    WHERE c.direction = 'Host-to-Device'
    GROUP BY s.step
),

shapes AS (
    SELECT 2 * count(DISTINCT bytes) >= (SELECT count(*) FROM window_steps) AND count(*) >= 5 AS vary FROM copied
)

SELECT
    CASE
        WHEN graphs >= 3 AND replays BETWEEN graphs AND 10 * graphs
            THEN
                format('The program makes {:,} CUDA graphs, and launches each {}. ', graphs, count_of(replays / graphs, 'time'))
                || 'Capture a graph once, launch it for all steps, and copy new inputs into the memory that it was captured '
                || 'with. If their shapes vary, round them up to a few, with a graph for each'
                || CASE framework
                    WHEN 'pytorch' THEN ': a capture waits for the GPU and empties the memory cache.'
                    ELSE '.'
                END
        WHEN updates >= activities * units AND looped < 0.25  -- an iteration of a loop has addresses of its own
            THEN
                format('{} updates CUDA graphs {:,.0f} times before it launches them. ', who, ceil(updates / units))
                || CASE framework
                    WHEN 'jax'
                        THEN
                            'XLA does so where the buffers of a program have other addresses than in the call before: let it use '
                            || 'those of the old state again (donate_argnums of jax.jit), or launch without graphs '
                            || '(XLA_FLAGS=--xla_gpu_enable_command_buffer=).'
                    ELSE 'Capture a graph once, and copy new inputs into the memory that it was captured with.'
                END
        WHEN activities < 2
            THEN
                who || ' is one launch already: queue the next one before it ends, so that the GPU need not wait for the CPU '
                || 'work between two, or launch several together: one CUDA graph, or one kernel that does their work.'
        ELSE format(
            '{} launches {} (median {:.1f} us) one by one, slower than the GPU runs them. ',
            who, count_of(activities, 'activity'), median_us
        )
        || CASE framework
            WHEN 'pytorch'
                THEN
                    'Launch them together: a CUDA graph (torch.cuda.CUDAGraph, torch.compile(mode="reduce-overhead")), '
                    || CASE
                        WHEN only_infers OR fused OR NOT trains THEN ''
                        WHEN foreach THEN 'a fused optimizer (fused=True, where it has that), '
                        ELSE 'an update of all parameters at once (an optimizer with fused=True or foreach=True), '
                    END
                    || CASE WHEN compiled THEN '' ELSE 'torch.compile, ' END
                    || 'or larger batches.'
                    || CASE
                        WHEN vary
                            THEN
                                ' The shapes vary: the largest copy to the GPU has another size in most steps. Pad batches to a '
                                || 'few sizes first, since a graph fits one shape.'
                        ELSE ''
                    END
            WHEN 'jax'
                THEN
                    CASE
                        WHEN one_program
                            THEN
                                'The step is one jax.jit already: do several steps in one call (a jax.lax.scan over their '
                                || 'batches), so that Python makes fewer calls, or take larger batches.'
                        ELSE
                            'Put more of them into one jax.jit, so that XLA fuses them and launches them as one graph, or take '
                            || 'larger batches; a loop inside of it (jax.lax.scan) launches none from Python.'
                    END
                    || CASE
                        WHEN looped >= 0.25
                            THEN
                                format(
                                    ' {:.0f} % of the activities belong to loops that XLA runs one iteration at a time: do more '
                                    || 'in each (unroll= of jax.lax.scan and jax.lax.fori_loop).',
                                    100 * looped
                                )
                        ELSE ''
                    END
            WHEN 'cupy'
                THEN
                    'Launch them together: fuse elementwise operations (cupy.fuse), capture a CUDA graph '
                    || '(cupy.cuda.Stream.begin_capture), or take larger batches.'
            ELSE 'Launch them together: a CUDA graph (cudaStreamBeginCapture), fused kernels, or larger batches.'
        END
    END AS fix
FROM launched, updates, parts, captured, shapes;
