-- The framework of the program that launches, by the names that it gives its threads, and by Python samples: advice differs.
-- reads: launching_threads, python_stacks, threads
CREATE VIEW framework AS
SELECT
    CASE
        WHEN bool_or(regexp_matches(name, '^(py_xla|tf_XLA)')) THEN 'jax'
        WHEN bool_or(starts_with(name, 'pt_')) OR EXISTS (FROM python_stacks WHERE contains(frames, 'torch/')) THEN 'pytorch'
    END AS framework
FROM threads
WHERE pid IN (SELECT pid FROM launching_threads);

COMMENT ON VIEW framework IS 'the framework of the program: one row';
COMMENT ON COLUMN framework.framework IS 'pytorch or jax; NULL where nothing tells';
