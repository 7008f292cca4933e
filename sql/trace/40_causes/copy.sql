/* cause
meaning = "only copies ran, or a blocking copy held the CPU"
usual_fix = "Pinned memory, non_blocking=True and a side stream; many small copies packed into one."
color = "#45b5b2"
color_dark = "#5cc9c4"

[[states]]
state = "copy"
priority = 14

[[states]]
state = "upload"
priority = 40

[remove]
waits = ["upload"]
overlapped = ["copy"]
*/

-- Exposed copies and blocking host-to-device copies are states. Here: the CPU work after such a copy until the next launch.
-- reads: lost_run_ahead, segments
CREATE VIEW rules_copy AS
SELECT s.segment_id, 41 AS priority, 'inferred' AS basis
FROM segments AS s
INNER JOIN lost_run_ahead AS r ON r.gap_id = s.gap_id AND r.blocked_for = 'upload'
WHERE s.state IN ('launch', 'run') AND s.lacks_run_ahead;

-- reads: blocking_calls, blocking_streams, copies, count_of, devices, framework, mostly_pageable, mostly_small
-- reads: stacks_in_segments, window_activities, window_segments, window_unit
CREATE VIEW fix_copy AS
WITH compute_streams AS (
    SELECT DISTINCT pid, gpu, stream FROM window_activities WHERE kind = 'compute'
),

-- copies that the default stream keeps apart from what runs next, which was launched before they end
held_up AS (
    SELECT c.activity_id
    FROM copies AS c
    ASOF INNER JOIN window_activities AS n ON n.pid = c.pid AND n.gpu = c.gpu AND n.start_ns >= c.end_ns
    INNER JOIN blocking_streams AS b ON b.pid = c.pid AND b.stream = c.stream
    INNER JOIN blocking_streams AS o ON o.pid = n.pid AND o.stream = n.stream
    WHERE n.stream <> c.stream AND (b.by_default OR o.by_default) AND n.launch_end_ns < c.end_ns
),

exposed AS (
    SELECT
        c.direction,
        mostly_pageable(c.pageable, s.end_ns - s.start_ns) AS pageable,
        count(DISTINCT c.activity_id) AS times,
        mostly_small(c.bytes, s.end_ns - s.start_ns) AS small,
        sum(s.end_ns - s.start_ns) AS lost_ns,
        false AS blocking,
        CAST(NULL AS BIGINT) AS scalars,
        -- on streams on which nothing computes
        sum(CASE WHEN k.stream IS NULL THEN s.end_ns - s.start_ns ELSE 0 END) >= 0.5 * sum(s.end_ns - s.start_ns) AS aside,
        sum(CASE WHEN h.activity_id IS NOT NULL THEN s.end_ns - s.start_ns ELSE 0 END) >= 0.5 * sum(s.end_ns - s.start_ns)
            AS held_up,
        -- what computes next began while the copy still ran
        sum(CASE WHEN s.end_ns < a.end_ns AND n.start_ns IS NOT NULL THEN s.end_ns - s.start_ns ELSE 0 END)
        >= 0.5 * sum(s.end_ns - s.start_ns) AS unawaited
    FROM window_segments AS s
    INNER JOIN copies AS c ON c.activity_id = s.activity_id
    INNER JOIN window_activities AS a ON a.activity_id = c.activity_id
    LEFT JOIN compute_streams AS k ON k.pid = c.pid AND k.gpu = c.gpu AND k.stream = c.stream
    LEFT JOIN held_up AS h ON h.activity_id = c.activity_id
    LEFT JOIN (SELECT DISTINCT gpu, start_ns FROM window_activities WHERE kind = 'compute') AS n
        ON n.gpu = s.gpu AND n.start_ns = s.end_ns
    WHERE s.state = 'copy' AND s.cause = 'copy'
    GROUP BY c.direction
),

blocking AS (
    SELECT sum(end_ns - start_ns) AS lost_ns FROM window_segments WHERE cause = 'copy' AND state <> 'copy'
),

-- those for which the CPU waits; 16 bytes: a scalar or two
uploads AS (
    SELECT
        mostly_pageable(c.pageable, b.end_ns - b.start_ns) AS pageable,
        count(*) AS times,
        mostly_small(c.bytes, b.end_ns - b.start_ns) AS small,
        CASE
            WHEN sum(CASE WHEN c.bytes <= 16 THEN b.end_ns - b.start_ns ELSE 0 END) >= 0.5 * sum(b.end_ns - b.start_ns)
                THEN count(CASE WHEN c.bytes <= 16 THEN 1 END)
        END AS scalars
    FROM copies AS c
    INNER JOIN window_activities AS a ON a.activity_id = c.activity_id
    -- a copy call, and the call that waits for it, are two
    INNER JOIN (
        SELECT global_tid, start_ns, max(end_ns) AS end_ns
        FROM blocking_calls
        WHERE waits_for = 'upload'
        GROUP BY global_tid, start_ns
    ) AS b ON b.global_tid = a.global_tid AND b.start_ns = a.launch_start_ns
    WHERE c.direction = 'Host-to-Device'
),

copied AS (
    SELECT * FROM exposed
    UNION ALL
    SELECT 'Host-to-Device', u.pageable, u.times, u.small, b.lost_ns, true, u.scalars, false, false, false
    FROM uploads AS u, blocking AS b
    WHERE b.lost_ns IS NOT NULL
    ORDER BY lost_ns DESC
    LIMIT 1
),

both_ways AS (
    SELECT count(*) = 2 AS there_and_back
    FROM exposed
    WHERE
        pageable AND direction IN ('Host-to-Device', 'Device-to-Host')
        AND lost_ns >= 0.25 * (SELECT sum(lost_ns) FROM exposed)
),

links AS (
    SELECT c.direction AS link, sum(c.bytes) AS bytes, sum(a.end_ns - a.start_ns) AS copied_ns
    FROM copies AS c
    INNER JOIN window_activities AS a ON a.activity_id = c.activity_id
    WHERE c.direction IN ('Host-to-Device', 'Device-to-Host')
    GROUP BY c.direction
),

-- as much as comes back: arrays that a launch copies in, and out again
to_and_fro AS (
    SELECT
        sum(CASE WHEN link = 'Host-to-Device' THEN bytes END) AS there_bytes,
        sum(CASE WHEN link = 'Device-to-Host' THEN bytes END) AS back_bytes
    FROM links
),

-- what takes two thirds of the window would still take it beside all else
busy_links AS (
    FROM links WHERE copied_ns >= 2.0 / 3 * (SELECT sum(window_ns) FROM devices)
),

ways AS (
    SELECT
        CASE framework
            WHEN 'pytorch' THEN 'pin_memory=True and non_blocking=True'
            WHEN 'cupy' THEN 'cupyx.empty_pinned'
            ELSE 'cudaMallocHost and cudaMemcpyAsync'
        END AS pinned,
        CASE framework WHEN 'pytorch' THEN 'non_blocking=True' ELSE 'cudaMemcpyAsync' END AS unblocked,
        framework = 'pytorch' AS is_pytorch,
        framework = 'jax' AS is_jax
    FROM framework
),

stacks AS (
    SELECT
        avg(CAST(regexp_matches(frames, 'torch/nn/modules/module\.py:(load_state_dict|_apply)') AS INTEGER)) AS moves_weights
    FROM stacks_in_segments
    WHERE cause = 'copy'
),

-- as the ledger: what a step is on one GPU, the mean of all
on_each_gpu AS (
    SELECT unit, units * (SELECT count(*) FROM devices) AS units FROM window_unit
)

SELECT
    CASE
        -- 1 %: counters and results that are read besides
        WHEN there_bytes >= 1000000 * units AND abs(there_bytes - back_bytes) <= 0.01 * there_bytes
            THEN format(
                '{} copies {:.1f} MB to the GPU and as much back. Keep the data there: copy it once before the loop, and '
                || 'back only where the program looks at it.',
                CASE unit WHEN 'window' THEN 'The program' ELSE 'Each ' || unit END, there_bytes / units / 1e6
            )
        WHEN direction = 'Host-to-Device' AND moves_weights >= 0.5
            THEN
                'The weights of a module are copied to the GPU (load_state_dict, to or cuda): keep all modules that take turns '
                || 'there, if they fit; else copy the next one from pinned memory, on a side stream, while this one computes.'
        WHEN scalars IS NOT NULL
            THEN format(
                'The CPU copies {} {} to the GPU, and waits for each. Make constants once, on the GPU, or pass '
                || 'numbers{}.',
                count_of(CASE WHEN scalars < units THEN scalars ELSE scalars / units END, 'value'),
                CASE WHEN unit = 'window' OR scalars < units THEN 'in all' ELSE 'a ' || unit END,
                CASE WHEN is_pytorch THEN ' of Python: torch.tensor(x) and new_tensor(x) of a number wait' ELSE '' END
            )
        WHEN direction = 'Host-to-Device' AND small AND times > 20 * units
            THEN format(
                'Pack the {} {}: collate on the CPU into one pinned buffer, copy it once with {}, and slice it on the GPU.',
                count_of(times / units, 'small host-to-device copy'),
                CASE unit WHEN 'window' THEN 'into few' ELSE 'of each ' || unit || ' into one' END,
                unblocked
            )
        WHEN direction = 'Host-to-Device' AND is_jax
            THEN
                'Call jax.device_put for the next batch before the result of this step is asked for: it returns at once, and the '
                || 'copy runs while the GPU computes.'
        WHEN is_jax AND direction = 'Device-to-Host'
            THEN
                'Ask for results less often, or for fewer of them, and call copy_to_host_async() as soon as a result is made.'
        WHEN there_and_back
            THEN
                'Copy from and into pinned memory (' || pinned || '), on a side stream, while the GPU still computes, and wait '
                || 'for what comes back only where it is used: a copy from or to pageable memory is slow and blocks the CPU.'
        WHEN direction = 'Host-to-Device' AND pageable
            THEN
                'Copy from pinned memory (' || pinned || '), on a side stream, while the GPU still computes: a copy from '
                || 'pageable memory is slow and blocks the CPU.'
        WHEN direction = link AND NOT pageable
            THEN format(
                'The link is the bottleneck: these copies take {:.3g} ms {} at {:.3g} GB/s, and would still do so beside all '
                || 'else. Move fewer bytes: keep on the GPU what is used again, and copy half precision, or only what is read.',
                copied_ns / units / 1e6, CASE unit WHEN 'window' THEN 'in all' ELSE 'a ' || unit END, bytes / copied_ns
            )
        WHEN blocking
            THEN
                'The CPU waits for each copy to the GPU, and has nothing queued after it. The memory is pinned already: copy '
                || 'with ' || unblocked
                || CASE WHEN is_pytorch THEN ' (in Accelerate: DataLoaderConfiguration(non_blocking=True))' ELSE '' END || '.'
        WHEN held_up
            THEN
                'The default stream takes turns with all streams that were not created as non-blocking: these copies cannot run '
                || 'beside the kernels. Keep copies and kernels out of it, or create the other streams as non-blocking.'
        WHEN unawaited AND NOT pageable
            THEN
                'What computes next does not wait for these copies: it begins before they end, and they run in the background '
                || 'while the GPU has too little to do. Not the copies are to be mended, but what else loses time.'
        WHEN aside AND NOT pageable AND direction IN ('Host-to-Device', 'Device-to-Host')
            THEN
                'These copies have a stream of their own already, but what computes next waits for them. With two buffers in '
                || 'turn it need only wait for the copy before last: look for a wait (wait_stream, wait_event) after each copy.'
        WHEN direction = 'Host-to-Device'
            THEN
                'The memory is pinned already: issue the copy of the next batch on a side stream while this one computes.'
        WHEN direction = 'Device-to-Host' AND pageable
            THEN
                'Copy into pinned memory (' || pinned || '), on a side stream, and wait for it only where the values are used.'
        WHEN direction = 'Device-to-Host' THEN 'Issue the copy on a side stream, so that the GPU computes meanwhile.'
        WHEN direction = 'Memset'
            THEN
                'Memsets run alone: fuse them into the kernel that writes the buffer next'
                || CASE WHEN is_pytorch THEN ', or use zero_grad(set_to_none=True)' ELSE '' END || '.'
        ELSE
            'Avoid the copy (work in place' || CASE WHEN is_pytorch THEN ', keep tensors contiguous' ELSE '' END
            || '), or issue it on a side stream.'
    END AS fix
FROM copied
LEFT JOIN busy_links ON link = direction
CROSS JOIN to_and_fro
CROSS JOIN ways
CROSS JOIN both_ways
CROSS JOIN stacks
CROSS JOIN on_each_gpu;

-- reads: lines_that_wait
CREATE VIEW lines_copy AS
FROM lines_that_wait('copy', ['upload']);
