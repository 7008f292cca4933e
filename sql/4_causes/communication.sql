CREATE VIEW states_communication AS
SELECT 'communication' AS state, 12 AS precedence, 'seen' AS basis;

CREATE VIEW fix_communication AS
WITH alone AS (
    SELECT t.text AS name, count(*) AS times, sum(s.end_ns - s.start_ns) AS lost_ns
    FROM slices AS s
    INNER JOIN ops AS o ON o.op_id = s.op_id
    LEFT JOIN strings AS t ON t.string_id = o.name_id
    WHERE s.state = 'communication'
    GROUP BY t.text
    ORDER BY lost_ns DESC
    LIMIT 1
)

SELECT format('Overlap {} with compute: ', coalesce(name, 'the collective'))
    || CASE
        WHEN name ILIKE '%allreduce%' THEN 'let DistributedDataParallel start it during the backward pass (smaller bucket_cap_mb, '
            || 'gradient_as_bucket_view=True, no find_unused_parameters), send bf16 gradients (a communication hook), or accumulate more micro-batches between two.'
        WHEN name ILIKE '%allgather%' OR name ILIKE '%reducescatter%' THEN 'prefetch the next shard (FSDP: backward_prefetch=BACKWARD_PRE, '
            || 'forward_prefetch=True, limit_all_gathers=False), or shard less.'
        ELSE 'issue it earlier, on a stream of its own, and wait for it only where its result is used.'
    END AS fix
FROM alone;

COMMENT ON VIEW states_communication IS 'data moved between GPUs while nothing computed';
COMMENT ON COLUMN states_communication.state IS 'as in slices';
COMMENT ON COLUMN states_communication.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN states_communication.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW fix_communication IS 'Overlap it: start collectives during the backward pass, prefetch shards, send fewer bytes.';
COMMENT ON COLUMN fix_communication.fix IS 'what to change, for what was seen';
