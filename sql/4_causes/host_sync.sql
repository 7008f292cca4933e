-- The call itself; what follows it until the next launch, as far as the CPU was ahead by that much before (long
-- stretches of code) or wholly (the launch path that would have run ahead); and small copies back, which are made
-- only to be waited for, with the gap before them.
CREATE VIEW states_host_sync AS
SELECT 'sync' AS state, 40 AS precedence, 'seen' AS basis;

CREATE VIEW claims_host_sync AS
SELECT slice_id, 44 AS precedence, 'inferred' AS basis
FROM slices
WHERE blocked_for IN ('sync', 'read_back', 'other_copy') AND state IN ('submit', 'run') AND was_ahead
UNION ALL
SELECT s.slice_id, 43, 'seen'
FROM slices AS s
INNER JOIN gap_ends AS g ON g.gap_id = s.gap_id AND g.read_back
WHERE s.state IN ('submit', 'queued', 'stalled')
UNION ALL
SELECT s.slice_id, 13, 'seen'
FROM slices AS s
INNER JOIN ops AS o ON o.op_id = s.op_id
INNER JOIN copies AS c ON c.op_id = s.op_id
INNER JOIN blocking_calls AS b ON b.global_tid = o.global_tid AND b.start_ns = o.launch_start_ns
WHERE s.state = 'copy' AND c.direction = 'Device-to-Host' AND c.bytes <= 65536;

CREATE VIEW fix_host_sync AS
WITH waited AS (
    SELECT
        coalesce(blocked_for, 'read_back') AS waits_for,
        sum(end_ns - start_ns) AS lost_ns
    FROM slices
    WHERE state = 'sync' OR slice_id IN (SELECT slice_id FROM claims_host_sync)
    GROUP BY ALL
    ORDER BY lost_ns DESC
    LIMIT 1
),

called AS (
    SELECT any_value(f.name) AS name
    FROM slices AS s
    INNER JOIN call_families AS f ON f.string_id = s.name_id
    WHERE s.state = 'sync'
    GROUP BY s.name_id
    ORDER BY sum(s.end_ns - s.start_ns) DESC
    LIMIT 1
)

SELECT CASE
    WHEN waits_for = 'read_back' THEN
        'Do not read GPU values in the loop: .item(), .cpu(), float(), print(tensor), nonzero() and boolean masks each wait for the GPU to '
        || 'finish. Keep the value on the GPU and read it every N steps, or copy it with non_blocking=True and read it a step later.'
    ELSE format(
        'Remove {} from the loop, or wait for one event (event.synchronize()) where one result is needed: the CPU cannot prepare the next '
        || 'work while it waits. For timing use CUDA events instead.',
        coalesce((SELECT name FROM called), 'the synchronize call')
    )
END AS fix
FROM waited;

COMMENT ON VIEW states_host_sync IS 'the CPU waited for the GPU, and so had nothing queued for it afterwards';
COMMENT ON COLUMN states_host_sync.state IS 'as in slices';
COMMENT ON COLUMN states_host_sync.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN states_host_sync.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW claims_host_sync IS 'slices that it claims for what is around them';
COMMENT ON COLUMN claims_host_sync.slice_id IS 'as in slices';
COMMENT ON COLUMN claims_host_sync.precedence IS 'the lowest claim on a slice wins';
COMMENT ON COLUMN claims_host_sync.basis IS 'seen (the call or op itself), named (by its NVTX range) or inferred (from what is around it)';
COMMENT ON VIEW fix_host_sync IS 'Defer .item() and .cpu(), read results a step later, synchronize on events; never synchronize in the loop.';
COMMENT ON COLUMN fix_host_sync.fix IS 'what to change, for what was seen';
