-- Calls that load GPU code, and the code of the gaps in which they are made: it compiles what is then loaded; and time in a range
-- that is named after compiling, as XLA names its own. A launch that itself takes 1 ms and more on an idle GPU loads its kernel
-- lazily: others take 3 to 50 us.
CREATE VIEW states_module_loading AS
SELECT 'module' AS state, 32 AS precedence, 'seen' AS basis;

CREATE VIEW claims_module_loading AS
-- few, and found first: of a million gaps and slices, joining all takes a fifth of a second
WITH lazy_loads AS MATERIALIZED (
    SELECT g.gap_id, g.launch_start_ns, o.launch_end_ns - o.launch_start_ns AS launch_ns
    FROM (SELECT * FROM ops WHERE kind = 'compute' AND launch_end_ns - launch_start_ns >= 1000000) AS o
    INNER JOIN gaps AS g ON g.gap_id = o.op_id
)

SELECT s.slice_id, 33 AS precedence, 'inferred' AS basis
FROM slices AS s
INNER JOIN gap_ends AS e ON e.gap_id = s.gap_id AND e.loads_module
WHERE s.state IN ('run', 'submit', 'wait', 'io', 'sleep')
UNION ALL
SELECT s.slice_id, 33, 'named'
FROM slices AS s
INNER JOIN range_hints AS h ON h.range_id = s.range_id AND h.cause = 'module_loading'
WHERE s.state IN ('run', 'submit', 'wait', 'sleep')
UNION ALL
SELECT s.slice_id, 35, 'inferred'
FROM slices AS s
INNER JOIN lazy_loads AS l ON l.gap_id = s.gap_id
WHERE s.state IN ('run', 'submit') AND s.end_ns > l.launch_start_ns AND s.end_ns - s.start_ns <= 2 * l.launch_ns;

CREATE VIEW fix_module_loading AS
SELECT 'Load and compile before the loop: run each shape once as a warm-up, set CUDA_MODULE_LOADING=EAGER, keep the shapes '
    || 'fixed or mark them dynamic so that torch.compile does not compile again (TORCH_LOGS=recompiles shows why; in JAX, '
    || 'JAX_LOG_COMPILES=1), and turn autotuning off where shapes change (torch.backends.cudnn.benchmark=False).' AS fix;

COMMENT ON VIEW states_module_loading IS 'GPU code was loaded, compiled or autotuned';
COMMENT ON COLUMN states_module_loading.state IS 'as in slices';
COMMENT ON COLUMN states_module_loading.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN states_module_loading.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW claims_module_loading IS 'slices that it claims for what is around them';
COMMENT ON COLUMN claims_module_loading.slice_id IS 'as in slices';
COMMENT ON COLUMN claims_module_loading.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN claims_module_loading.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW fix_module_loading IS 'Warm every shape up before the loop, load modules eagerly, avoid recompilation.';
COMMENT ON COLUMN fix_module_loading.fix IS 'what to change, for what was seen';
