-- Copies and fills while nothing computes; and blocking host-to-device copies, with the CPU work until the next launch.
CREATE VIEW states_copy AS
FROM (VALUES ('copy', 14, 'seen'), ('upload', 40, 'seen')) AS claimed (state, precedence, basis);

CREATE VIEW claims_copy AS
SELECT slice_id, 41 AS precedence, 'inferred' AS basis
FROM slices
WHERE blocked_for = 'upload' AND state IN ('submit', 'run', 'sync') AND was_ahead;

CREATE VIEW fix_copy AS
WITH copied AS (
    SELECT
        c.direction,
        bool_or(c.pageable) AS pageable,
        count(DISTINCT c.op_id) AS times,
        sum(s.end_ns - s.start_ns) AS lost_ns,
        median(c.bytes) AS bytes
    FROM slices AS s
    INNER JOIN copies AS c ON c.op_id = s.op_id
    WHERE s.state = 'copy'
    GROUP BY c.direction
    ORDER BY lost_ns DESC
    LIMIT 1
)

SELECT CASE
    WHEN direction = 'Host-to-Device' AND bytes < 1000000 AND times > 20 * (SELECT steps FROM "window") THEN format(
        'Pack the {:.0f} small host-to-device copies of each step into one: collate on the CPU into one pinned buffer, copy it once with '
        || 'non_blocking=True, and slice it on the GPU.',
        times / (SELECT steps FROM "window")
    )
    WHEN direction = 'Host-to-Device' AND pageable THEN
        'Copy from pinned memory (pin_memory=True) with non_blocking=True, on a side stream, while the step before still computes: '
        || 'a copy from pageable memory is slow and blocks the CPU.'
    WHEN direction = 'Host-to-Device' THEN 'The memory is pinned already: issue the copy of the next batch on a side stream while this one computes.'
    WHEN direction = 'Device-to-Host' AND pageable THEN
        'Copy into pinned host memory with non_blocking=True, on a side stream, and wait for it only where the values are used.'
    WHEN direction = 'Device-to-Host' THEN 'Issue the copy on a side stream, so that the next step computes meanwhile.'
    WHEN direction = 'Fill' THEN 'Fills run alone: fuse them into the kernel that writes the buffer next, or use zero_grad(set_to_none=True).'
    ELSE 'Avoid the copy (work in place, keep tensors contiguous), or issue it on a side stream.'
END AS fix
FROM copied;

COMMENT ON VIEW states_copy IS 'only copies ran, or a blocking copy held the CPU';
COMMENT ON COLUMN states_copy.state IS 'as in slices';
COMMENT ON COLUMN states_copy.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN states_copy.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW claims_copy IS 'slices that it claims for what is around them';
COMMENT ON COLUMN claims_copy.slice_id IS 'as in slices';
COMMENT ON COLUMN claims_copy.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN claims_copy.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW fix_copy IS 'Pinned memory, non_blocking=True and a side stream; many small copies packed into one.';
COMMENT ON COLUMN fix_copy.fix IS 'what to change, for what was seen';
