/* cause
meaning = "the launching thread ran other CPU code, slept, or waited for another program"
usual_fix = "Prepare it a step ahead on another thread, move it behind the launches, or onto the GPU."
needs = ["os_calls"]
color = "#dbc713"
color_dark = "#fdde3c"
frames = [
    "torch/optim/",
    "torch/autograd/graph\\.py:_engine_run_backward",
]

[[states]]
state = "run"
priority = 60

[[states]]
state = "sleep"
priority = 60
*/

-- Code is a state. Here: code between two page faults of the CPU, whose ends are inferred. It works on what the GPU wrote to
-- managed memory, so that it could not have begun before a wait for that. Code of an optimizer or a backward pass on the CPU,
-- which makes no batch, although an upload may follow. And waits for threads that the program gave work to, for programs that it
-- started, or for the answers of others, and those that their timeout ends, unless they are explained.
-- reads: answer_waits, child_waits, matched_segments, migrations, piped_answers, queue_waits, segments, timed_waits
-- reads: woken_waits, worker_waits
CREATE VIEW rules_host_compute AS
SELECT segment_id, 23 AS priority, 'inferred' AS basis
FROM piped_answers
UNION ALL
SELECT s.segment_id, 42, 'inferred'
FROM segments AS s
INNER JOIN migrations AS m ON m.activity_id = s.gap_id
WHERE s.state IN ('launch', 'run') AND m.to_host AND NOT m.by_prefetch
UNION ALL
SELECT s.segment_id, 49, 'seen'
FROM segments AS s
INNER JOIN matched_segments AS m ON m.segment_id = s.segment_id AND m.cause = 'host_compute'
WHERE s.state = 'run'
UNION ALL
SELECT segment_id, 50, 'seen'
FROM queue_waits
WHERE waits_for <> 'input'
UNION ALL
SELECT segment_id, 64, 'seen'
FROM worker_waits
UNION ALL
SELECT segment_id, 65, 'inferred'
FROM woken_waits
UNION ALL
SELECT s.segment_id, 65, 'inferred'
FROM (SELECT * FROM segments WHERE state = 'wait') AS s
ASOF INNER JOIN child_waits AS c ON c.global_tid = s.on_global_tid AND s.start_ns >= c.start_ns
WHERE s.end_ns <= c.end_ns
UNION ALL
SELECT s.segment_id, 65, 'inferred'
FROM (SELECT * FROM segments WHERE state = 'wait') AS s
ASOF INNER JOIN answer_waits AS a ON a.global_tid = s.on_global_tid AND s.start_ns >= a.start_ns
WHERE s.end_ns <= a.end_ns
UNION ALL
SELECT s.segment_id, 65, 'inferred'
FROM (SELECT * FROM segments WHERE state = 'wait') AS s
ASOF INNER JOIN timed_waits AS t ON t.global_tid = s.on_global_tid AND s.start_ns >= t.start_ns
WHERE s.end_ns <= t.end_ns;

-- DataParallel starts a thread for each GPU anew in each step. What cuDNN keeps for each thread is then made anew too.
-- reads: activities, batch_bytes, child_waits, copies, devices, gaps, is_sender_wait, loop_tails, paths, piped_answers
-- reads: queue_waits, range_paths, stacks_in_segments, timed_waits, window_segments, window_unit, woken_waits, worker_waits
CREATE VIEW fix_host_compute AS
WITH stacks AS (
    SELECT
        avg(CAST(regexp_matches(frames, 'torch/nn/parallel/data_parallel\.py:') AS INTEGER)) AS data_parallel,
        avg(CAST(regexp_matches(frames, 'jax/_src/callback\.py:') AS INTEGER)) AS called_back
    FROM stacks_in_segments
    WHERE cause = 'host_compute'
),

-- what it waits for is a thread, a program that it started, a time, or a program that it asked
shares AS (
    SELECT
        s.end_ns - s.start_ns AS lost_ns,
        CASE
            WHEN q.waits_for = 'room' THEN 'room'
            WHEN s.segment_id IN (FROM loop_tails) THEN 'tail'
            WHEN s.segment_id IN (FROM piped_answers) AND NOT is_sender_wait(s.state, s.end_ns - s.start_ns) THEN 'read'
            WHEN s.state = 'io' THEN 'asked'
            WHEN s.state <> 'wait' THEN s.state
            WHEN q.waits_for = 'answer' THEN 'thread'
            WHEN s.segment_id IN (FROM worker_waits) OR s.segment_id IN (FROM woken_waits) THEN 'thread'
            WHEN s.end_ns <= c.end_ns THEN 'started'
            WHEN s.end_ns <= t.end_ns THEN 'sleep'
            ELSE 'asked'
        END AS kind
    FROM (SELECT * FROM window_segments WHERE cause = 'host_compute') AS s
    LEFT JOIN queue_waits AS q ON q.segment_id = s.segment_id
    ASOF LEFT JOIN child_waits AS c ON c.global_tid = s.on_global_tid AND s.start_ns >= c.start_ns
    ASOF LEFT JOIN timed_waits AS t ON t.global_tid = s.on_global_tid AND s.start_ns >= t.start_ns
),

answers AS (
    SELECT
        coalesce(sum(lost_ns) FILTER (kind = 'asked'), 0) AS asked_ns,
        coalesce(sum(lost_ns) FILTER (kind = 'read'), 0) AS read_ns
    FROM shares
),

-- no row, unless one kind makes half
most AS (
    SELECT CASE WHEN kind = 'read' THEN 'asked' ELSE kind END AS kind
    FROM shares
    GROUP BY ALL
    HAVING sum(lost_ns) >= 0.5 * (SELECT sum(lost_ns) FROM shares)
    ORDER BY sum(lost_ns) DESC, kind
    LIMIT 1
),

-- as the ledger: what a step is on one GPU, the mean of all
asked AS (
    SELECT
        a.asked_ns / u.units / (SELECT count(*) FROM devices) / 1e6 AS asked_ms,
        a.read_ns / u.units / (SELECT count(*) FROM devices) / 1e6 AS read_ms,
        CASE u.unit WHEN 'window' THEN '' ELSE ' a ' || u.unit END AS per_unit
    FROM answers AS a, window_unit AS u
),

-- in gaps between a copy of more than a scalar to the host and the copy of what is made of them
worked_on AS (
    SELECT coalesce(sum(s.end_ns - s.start_ns), 0) AS lost_ns
    FROM (SELECT * FROM window_segments WHERE cause = 'host_compute' AND state = 'run') AS s
    INNER JOIN gaps AS g ON g.gap_id = s.gap_id
    INNER JOIN copies AS u ON u.activity_id = g.gap_id AND u.direction = 'Host-to-Device'
    INNER JOIN (
        SELECT DISTINCT a.gpu, a.end_ns
        FROM copies AS c
        INNER JOIN activities AS a ON a.activity_id = c.activity_id
        WHERE c.direction = 'Device-to-Host' AND c.bytes >= batch_bytes()
    ) AS d
        ON d.gpu = g.gpu AND d.end_ns = g.start_ns
),

named AS (
    SELECT array_to_string(p.called, ' > ') AS path
    FROM window_segments AS s
    LEFT JOIN range_paths AS r ON r.range_id = s.range_id
    LEFT JOIN paths AS p ON p.path_id = r.path_id
    WHERE s.cause = 'host_compute'
    GROUP BY p.called
    ORDER BY sum(s.end_ns - s.start_ns) DESC
    LIMIT 1
)

SELECT
    CASE
        WHEN data_parallel >= 0.5
            THEN
                'torch.nn.DataParallel copies the model in each step, and starts a thread for each GPU, which shares one GIL '
                || 'with the others and prepares the libraries anew. torch.nn.parallel.DistributedDataParallel does neither: it '
                || 'has a process for each GPU.'
        WHEN called_back >= 0.5
            THEN
                'XLA calls Python code in the middle of its program (jax.pure_callback, jax.debug.callback and the like), and '
                || 'waits for it. Compute it beforehand and pass it as an argument, or write it in jax.numpy.'
        WHEN kind = 'tail'
            THEN
                'This code stands at the end of the loop, after the launches of a step and before the next batch. If it logs or '
                || 'measures, do it less often or on another thread. If it collects garbage, call gc.freeze() after the set-up, '
                || 'so that what lives long is not searched each time.'
        WHEN kind = 'sleep'
            THEN
                'The launching thread sleeps. Wait for what it sleeps for instead (an event, a queue), sleep on another thread, '
                || 'or not at all.'
        WHEN kind = 'thread'
            THEN
                'The launching thread waits for another thread of the program, which works on the CPU. Give it that work '
                || 'earlier, so that it is done in time, divide it among more threads, or do it on the GPU.'
        WHEN kind = 'room'
            THEN
                'The launching thread waits until another thread takes what it has made from a full queue: that thread is the '
                || 'bottleneck. Let several do its work (processes, if it is Python code), do less of it, or drop what comes '
                || 'too fast; a longer queue only delays the wait.'
        WHEN kind = 'started'
            THEN
                'The launching thread starts programs and waits until they end. Start them and go on, look at what they say a '
                || 'few steps later, or call a library in place of them.'
        WHEN kind = 'asked' AND read_ms > asked_ms
            THEN
                format(
                    'The launching thread asks other processes, and reads their answers from pipes. It waits {:.3g} ms{}, and '
                    || 'then reads and unpickles for {:.3g} ms: let them write arrays to shared memory '
                    || '(multiprocessing.shared_memory, share_memory_() of a tensor), and send only that they are there.',
                    asked_ms, per_unit, read_ms
                )
        WHEN kind = 'asked'
            THEN
                'The launching thread asks another program and waits for its answer. Ask from another thread and look at the '
                || 'answer a few steps later, ask less often, or for many things at once. '
                || format(
                    'It waits {:.3g} ms{}: asking ahead hides as much of that as the rest takes.',
                    asked_ms, per_unit
                )
        WHEN kind = 'run' AND (SELECT lost_ns FROM worked_on) >= 0.5 * (SELECT sum(lost_ns) FROM shares)
            THEN
                'The CPU works on what the GPU has just computed, and copies what it makes of it back: nothing can be prepared '
                || 'ahead. Do it on the GPU, or for fewer values (the best of them, or a sum), or make it cheaper.'
        ELSE
            format(
                'Move the CPU work{} off the thread that launches: to a worker thread or process that prepares it ahead, '
                || 'behind the launches instead of before them, or onto the GPU.',
                CASE WHEN path IS NOT NULL THEN ' in "' || path || '"' ELSE '' END
            )
    END AS fix
FROM stacks, named, asked LEFT JOIN most ON true;
