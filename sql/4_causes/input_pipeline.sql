-- Seen: time in a range that is named after loading data. Or: waiting for somebody else in a process that has DataLoader
-- workers. Inferred: a long stretch of CPU work, or a wait, that ends with the upload of a batch.
CREATE VIEW claims_input_pipeline AS
SELECT s.slice_id, 25 AS precedence, 'named' AS basis
FROM slices AS s
INNER JOIN range_hints AS h ON h.range_id = s.range_id AND h.cause = 'input_pipeline'
WHERE s.state IN ('run', 'submit', 'sleep', 'wait', 'io', 'memory')
UNION ALL
SELECT s.slice_id, 28, 'inferred'
FROM slices AS s
WHERE s.state = 'wait' AND s.end_ns - s.start_ns >= 1000000 AND s.pid IN (SELECT pid FROM loader_threads)
UNION ALL
SELECT s.slice_id, 50, 'inferred'
FROM slices AS s
INNER JOIN gap_ends AS g ON g.gap_id = s.gap_id
WHERE g.upload AND g.length_ns >= 1000000 AND s.state IN ('run', 'sleep', 'wait', 'io');

CREATE VIEW fix_input_pipeline AS
WITH facts AS (
    SELECT
        sum(CASE WHEN s.state = 'wait' THEN s.end_ns - s.start_ns ELSE 0 END) AS wait_ns,
        sum(s.end_ns - s.start_ns) AS lost_ns,
        (SELECT count(DISTINCT pid) FROM loader_threads WHERE pid NOT IN (SELECT pid FROM ops)) AS workers
    FROM claims_input_pipeline AS c
    INNER JOIN slices AS s ON s.slice_id = c.slice_id
)

SELECT CASE
    WHEN wait_ns >= 0.5 * lost_ns AND workers > 0 THEN format(
        'The training thread waits for batches that {} worker process{} cannot make fast enough. Raise num_workers towards the number of '
        || 'CPU cores, raise prefetch_factor, set persistent_workers=True, and make each sample cheaper (decode smaller images, cache, '
        || 'tokenise beforehand).',
        workers, CASE WHEN workers > 1 THEN 'es' ELSE '' END
    )
    -- without --trace-fork-before-exec the workers of a DataLoader are not in the trace
    WHEN wait_ns >= 0.5 * lost_ns THEN
        'The launching thread waits for input that somebody else cannot hand over fast enough. If a DataLoader makes it, raise num_workers '
        || 'towards the number of CPU cores, raise prefetch_factor, set persistent_workers=True, and make each sample cheaper; if a thread '
        || 'of this program does, let processes do it, since Python runs one thread at a time; if it is requests, the GPU could serve more.'
    ELSE 'The batch is made on the training thread itself. Move it to workers: DataLoader(num_workers=8 or more, '
        || 'pin_memory=True, persistent_workers=True), so that it is ready when the step begins.'
END AS fix
FROM facts;

COMMENT ON VIEW claims_input_pipeline IS 'the next batch was being produced or waited for';
COMMENT ON COLUMN claims_input_pipeline.slice_id IS 'as in slices';
COMMENT ON COLUMN claims_input_pipeline.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN claims_input_pipeline.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW fix_input_pipeline IS 'More DataLoader workers, pinned memory and prefetching, or cheaper samples; move loading off the training thread.';
COMMENT ON COLUMN fix_input_pipeline.fix IS 'what to change, for what was seen';
