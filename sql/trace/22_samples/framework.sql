-- The framework of the program that launches: advice differs. Told by the names that it gives its threads, by Python samples, and
-- by kernels that only it has.
-- reads: activities, launching_threads, python_stacks, strings, threads
CREATE TABLE framework AS
WITH kernels_run AS (
    SELECT text FROM strings WHERE string_id IN (SELECT DISTINCT name_id FROM activities)
)

SELECT
    CASE
        WHEN bool_or(regexp_matches(name, '^(py_xla|tf_XLA)')) THEN 'jax'
        WHEN
            bool_or(starts_with(name, 'pt_'))
            OR EXISTS (FROM python_stacks WHERE contains(frames, 'torch/'))
            OR EXISTS (
                FROM kernels_run
                WHERE regexp_matches(text, '^((unrolled|vectorized)_elementwise|multi_tensor_apply)_kernel$')
            )
            THEN 'pytorch'
        WHEN EXISTS (FROM kernels_run WHERE regexp_matches(text, '^cupy_')) THEN 'cupy'
    END AS framework
FROM threads
-- of several that launch, that of the process that launches most: a helper may use another
WHERE pid = (SELECT pid FROM launching_threads GROUP BY pid ORDER BY sum(activities) DESC, pid LIMIT 1);

COMMENT ON TABLE framework IS 'the framework of the program: one row';
COMMENT ON COLUMN framework.framework IS 'pytorch, jax or cupy; NULL where nothing tells';
