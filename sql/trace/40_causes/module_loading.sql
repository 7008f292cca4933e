/* cause
meaning = "GPU code was loaded, compiled or autotuned"
usual_fix = "Warm every shape up before the loop, load modules eagerly, avoid recompilation."
color = "#8c0157"
color_dark = "#9d486c"
names = [
    "xla_?compile",
    "recompil(e|ing|ation)",
    "autotun(e|ing)",
    "(compile|build|load)_?(the_?)?(kernel|module|engine)",
]

[[states]]
state = "module"
priority = 32

[remove]
states = ["module"]
wholly = true  # a launch that loads its kernel is one of those calls
*/

-- Calls that load GPU code are a state. Here: the code of the gaps in which they are made, since it compiles what is then loaded;
-- time in a range that is named after compiling, as XLA names its own; and launches that take 1 ms and more on an idle GPU, since
-- they load their kernel lazily (others take 3 to 50 us).
-- reads: activities, gap_facts, gaps, named_ranges, segments
CREATE VIEW rules_module_loading AS
WITH lazy_loads AS MATERIALIZED (
    SELECT g.gap_id, g.launch_start_ns, a.launch_end_ns - a.launch_start_ns AS launch_ns
    FROM (SELECT * FROM activities WHERE kind = 'compute' AND launch_end_ns - launch_start_ns >= 1000000) AS a
    INNER JOIN gaps AS g ON g.gap_id = a.activity_id
)

SELECT s.segment_id, 33 AS priority, 'inferred' AS basis
FROM segments AS s
INNER JOIN gap_facts AS f ON f.gap_id = s.gap_id AND f.loads_module
WHERE s.state IN ('run', 'launch', 'wait', 'io', 'sleep')
UNION ALL
SELECT s.segment_id, 33, 'named'
FROM segments AS s
INNER JOIN named_ranges AS n ON n.range_id = s.range_id AND n.cause = 'module_loading'
WHERE s.state IN ('run', 'launch', 'wait', 'sleep')
UNION ALL
SELECT s.segment_id, 35, 'inferred'
FROM segments AS s
INNER JOIN lazy_loads AS l ON l.gap_id = s.gap_id
WHERE s.state IN ('run', 'launch') AND s.end_ns > l.launch_start_ns AND s.end_ns - s.start_ns <= 2 * l.launch_ns;

CREATE VIEW fix_module_loading AS
SELECT
    'Load and compile before the loop: run each shape once as a warm-up, set CUDA_MODULE_LOADING=EAGER, keep the shapes '
    || 'fixed or mark them dynamic so that torch.compile does not compile again (TORCH_LOGS=recompiles shows why; in JAX, '
    || 'JAX_LOG_COMPILES=1), and turn autotuning off where shapes change (torch.backends.cudnn.benchmark=False).' AS fix;
