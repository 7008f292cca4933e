/* cause
meaning = "the CPU waited for the GPU, and so had nothing queued for it afterwards"
usual_fix = "Defer .item() and .cpu(), read results a step later, synchronize on events; never synchronize in the loop."
color = "#c91400"
color_dark = "#ff5731"

[[states]]
state = "sync"
priority = 40

[remove]
segments = false
waits = ["sync", "download", "other_copy"]
*/

-- The call itself is a state. Here: what follows it until the next launch, as far as the CPU was ahead by that much before; and
-- small copies back, which are made only to be waited for, with the gap before them. Not code between the return of more than a
-- scalar and an upload: it works on what came back, as an optimizer on the CPU does, and could not have run ahead.
-- reads: batch_bytes, gap_facts, lost_run_ahead, read_backs, segments
CREATE VIEW rules_host_sync AS
SELECT s.segment_id, 44 AS priority, 'inferred' AS basis
FROM segments AS s
INNER JOIN lost_run_ahead AS r ON r.gap_id = s.gap_id AND r.blocked_for IN ('sync', 'download', 'other_copy')
LEFT JOIN gap_facts AS g ON g.gap_id = s.gap_id
WHERE s.lacks_run_ahead AND (s.state = 'launch' OR (s.state = 'run' AND coalesce(g.returned_bytes, 0) < batch_bytes()))
UNION ALL
SELECT s.segment_id, 43, 'seen'
FROM segments AS s
INNER JOIN gap_facts AS g ON g.gap_id = s.gap_id AND g.read_back
WHERE s.state IN ('launch', 'queued', 'stalled')
UNION ALL
SELECT s.segment_id, 13, 'seen'
FROM segments AS s
INNER JOIN read_backs AS b ON b.activity_id = s.activity_id
WHERE s.state = 'copy';

-- reads: activities, batch_bytes, call_families, copies, framework, is_xla_loop, lost_run_ahead, paths, range_paths
-- reads: window_segments
CREATE VIEW fix_host_sync AS
WITH waited AS (
    SELECT coalesce(r.blocked_for, 'download') AS waits_for
    FROM window_segments AS s
    LEFT JOIN lost_run_ahead AS r ON r.gap_id = s.gap_id
    WHERE s.cause = 'host_sync'
    GROUP BY ALL
    ORDER BY sum(s.end_ns - s.start_ns) DESC
    LIMIT 1
),

called AS (
    SELECT any_value(f.name) AS name
    FROM window_segments AS s
    INNER JOIN call_families AS f ON f.string_id = s.name_id
    WHERE s.cause = 'host_sync' AND s.state = 'sync'
    GROUP BY s.name_id
    ORDER BY sum(s.end_ns - s.start_ns) DESC
    LIMIT 1
),

loops AS (
    SELECT path_id FROM paths WHERE is_xla_loop(array_to_string(called, ' > '))
),

-- the rest of calls that copy much to pageable memory, after the GPU's part: the CPU moves it on from a buffer of the driver
moved AS (
    SELECT coalesce(sum(s.end_ns - s.start_ns), 0) AS lost_ns
    FROM (SELECT * FROM window_segments WHERE cause = 'host_sync' AND state = 'sync') AS s
    ASOF INNER JOIN (
        SELECT a.global_tid, a.end_ns, a.launch_end_ns
        FROM copies AS c
        INNER JOIN activities AS a ON a.activity_id = c.activity_id
        WHERE c.direction = 'Device-to-Host' AND c.pageable AND c.bytes >= batch_bytes()
    ) AS d
        ON d.global_tid = s.on_global_tid AND s.start_ns >= d.end_ns
    WHERE s.end_ns <= d.launch_end_ns
),

shares AS (
    SELECT
        sum(s.end_ns - s.start_ns) FILTER (r.path_id IN (FROM loops)) >= 0.5 * sum(s.end_ns - s.start_ns) AS in_loops,
        sum(s.end_ns - s.start_ns) AS lost_ns,
        sum(s.end_ns - s.start_ns) FILTER (s.state = 'run') >= 0.5 * sum(s.end_ns - s.start_ns) AS in_code
    FROM window_segments AS s
    LEFT JOIN range_paths AS r ON r.range_id = s.range_id
    WHERE s.cause = 'host_sync'
)

SELECT
    CASE
        WHEN framework = 'jax' AND in_loops
            THEN
                'XLA reads the condition of each while loop back before it launches the next iteration. A loop of a fixed length '
                || '(jax.lax.fori_loop or jax.lax.scan) has none to read; else do more in each iteration, or for more '
                || 'examples at once (jax.vmap), so that there are fewer of them.'
        WHEN (SELECT lost_ns FROM moved) >= 0.5 * lost_ns
            THEN
                'Most of this time, the CPU moves what large copies bring on to pageable memory. Copy into pinned memory'
                || CASE framework WHEN 'pytorch' THEN ' (pin_memory=True and non_blocking=True)' ELSE '' END
                || ', and wait for it only where the values are used.'
        WHEN waits_for = 'download' AND framework = 'jax'
            THEN
                'Do not read values of the GPU in the loop: float(), print() and np.asarray() of an array, and Python''s if and '
                || 'while on one, each wait for the GPU to finish. Keep the value on the GPU, and read it every N iterations or '
                || 'once the next one is dispatched.'
        WHEN waits_for = 'download' AND framework = 'pytorch'
            THEN
                'Do not read GPU values in the loop: .item(), .cpu(), float() and print(tensor) each wait for the GPU to finish, '
                || 'and so does what asks how large its result will be: nonzero(), boolean masks, unique(), and '
                || 'repeat_interleave() without output_size. Keep the value on the GPU and read it every N iterations, or copy '
                || 'it with non_blocking=True and read it an iteration later.'
        WHEN waits_for = 'download'
            THEN
                'Do not copy values to the CPU in the loop only to look at them: each copy, or the call that waits for it, waits '
                || 'for the GPU to finish. Look at them every N iterations, make the decision in a kernel, or copy to pinned '
                || 'memory on a stream and read the value an iteration later.'
        WHEN (SELECT name FROM called) LIKE '%Launch%'
            THEN
                'Each launch waits until its kernel has ended: unset CUDA_LAUNCH_BLOCKING, which is for debugging.'
        WHEN (SELECT name FROM called) LIKE '%Memcpy%'
            THEN format(
                'The CPU waits in {} until the copy has ended, and cannot prepare the next work meanwhile: copy from or to '
                || 'pinned memory on a stream, and wait for an event where the data are used.',
                (SELECT name FROM called)
            )
        WHEN (SELECT name FROM called) LIKE '%Query%'
            THEN format(
                'The CPU asks with {} again and again whether the GPU is done, and prepares nothing meanwhile: launch the next '
                || 'work first, and ask only where a result is needed.',
                (SELECT name FROM called)
            )
        WHEN framework = 'jax'
            THEN
                'Wait for the result of a step one step later, and for few of them: no block_until_ready(), float() or '
                || 'np.asarray() of it in the loop.'
        ELSE format(
            'Remove {} from the loop, or wait for one event ({}) where one result is needed: the CPU cannot prepare the next '
            || 'work while it waits. For timing use CUDA events instead.',
            coalesce((SELECT name FROM called), 'the synchronize call'),
            CASE framework
                WHEN 'pytorch' THEN 'event.synchronize()'
                WHEN 'cupy' THEN 'cupy.cuda.Event.synchronize()'
                ELSE 'cudaEventSynchronize'
            END
        )
    END
    || CASE
        WHEN in_code THEN ' Most of this time is code after the wait: launch the next step before it, or make it shorter.'
        ELSE ''
    END AS fix
FROM waited, framework, shares;

-- reads: lines_that_wait
CREATE VIEW lines_host_sync AS
FROM lines_that_wait('host_sync', ['sync', 'download', 'other_copy']);
