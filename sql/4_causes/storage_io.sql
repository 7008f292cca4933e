-- File calls of the submitter; and the code around them, where a range is named after saving or where file calls make
-- a quarter of the gap: serialising is part of writing.
CREATE VIEW states_storage_io AS
SELECT 'io' AS state, 30 AS precedence, 'seen' AS basis;

CREATE VIEW claims_storage_io AS
SELECT s.slice_id, 34 AS precedence, 'named' AS basis
FROM slices AS s
INNER JOIN range_hints AS h ON h.range_id = s.range_id AND h.cause = 'storage_io'
WHERE s.state IN ('run', 'submit', 'sleep', 'wait')
UNION ALL
SELECT s.slice_id, 36, 'inferred'
FROM slices AS s
INNER JOIN gap_ends AS g ON g.gap_id = s.gap_id
WHERE s.state IN ('run', 'submit') AND g.io_ns >= 0.25 * g.length_ns AND g.length_ns >= 1000000;

CREATE VIEW fix_storage_io AS
WITH busiest AS (
    SELECT t.text AS name, sum(s.end_ns - s.start_ns) AS lost_ns
    FROM slices AS s
    LEFT JOIN strings AS t ON t.string_id = s.name_id
    WHERE s.state = 'io'
    GROUP BY t.text
    ORDER BY lost_ns DESC
    LIMIT 1
)

SELECT CASE
    WHEN regexp_matches(coalesce((SELECT name FROM busiest), 'write'), 'read|open|gets|stat') THEN
        'Read ahead in another thread or process, or stage the files on local disk or in memory before the loop.'
    ELSE 'Save in the background: copy the state to pinned host memory without blocking, then write and fsync it in a thread or '
        || 'process of its own (torch.distributed.checkpoint.async_save does both), and save less often.'
END AS fix;

COMMENT ON VIEW states_storage_io IS 'the launching thread read, wrote or flushed files';
COMMENT ON COLUMN states_storage_io.state IS 'as in slices';
COMMENT ON COLUMN states_storage_io.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN states_storage_io.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW claims_storage_io IS 'slices that it claims for what is around them';
COMMENT ON COLUMN claims_storage_io.slice_id IS 'as in slices';
COMMENT ON COLUMN claims_storage_io.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN claims_storage_io.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW fix_storage_io IS 'Write checkpoints asynchronously and less often; read ahead; keep logging off the critical thread.';
COMMENT ON COLUMN fix_storage_io.fix IS 'what to change, for what was seen';
