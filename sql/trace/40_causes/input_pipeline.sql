/* cause
meaning = "the next batch was being produced or waited for"
usual_fix = "More DataLoader workers, pinned memory and prefetching, or cheaper samples; move loading off the training thread."
needs = ["os_calls_or_ranges"]
color = "#e17309"
color_dark = "#f38f12"
names = [
    "data_?load",
    "(load|next|get|fetch|read|prepare|produce|wait_?for)_?(the_?)?(next_?)?(data|batch|sample|input)",
    "batch_?(load|fetch|wait|prep)",
    "input_?pipeline",
    "^((data|batch|input|sample)_?)?prefetch(er|ing)?$",
    "dataset",
    "collate",
    "augment",
    "decode_?(image|jpe?g|video|audio)",
]
frames = [
    "torch/utils/data/",
    "multiprocessing/(connection|queues)\\.py:",
    "tensorflow/python/data/",
    "(datasets|grain|webdataset|streaming|ffcv)/[^ ]*:__(next|iter|getitem)__",
    "nvidia/dali/",
    "transformers/[^ ]*(tokenization|processing|feature_extraction)_[^ ]*:__call__",
    ":data_?loader\\b",
    ":(get|next|load|make|fetch|sample)_(data_?)?batch\\b",
]

[remove]
made_by_others = true
*/

-- Seen: samples find the thread in a data loader; of its launches only where it has no workers, which would leave it the
-- code that fetches a batch. Or they find it at a queue that another thread fills. Named: time in a range that is named
-- after loading data. Inferred: brief calls that read what another process sends, where samples find such calls in that code
-- and no DataLoader hands over; waiting for somebody else in a process that has DataLoader workers, unless Python samples
-- find the thread elsewhere; an idle worker of a pool, where nothing tells that nobody asked; and code, waits and sleep in a
-- long gap that ends with the upload of a batch. A batch comes in each step, in one to three tensors. A program without
-- steps has no batches, and one that uploads more often streams something else, as weights. Where more than a scalar came
-- back from the GPU just before, the code works on that: an optimizer or metrics on the CPU. Code in the tail of a loop
-- belongs to the batch before, as a garbage collection does. Of other uploads, fewer than one in ten steps are no batches: a
-- benchmark that fills its memory once for each size has one in 60 steps, programs that make batches at least one in 3.5.
-- reads: analysed_time, batch_bytes, gap_facts, gaps, loader_threads, long_wait_ns, loop_tails, matched_segments, named_ranges
-- reads: own_work_ns, queue_waits, regimes, sampled_calls, sampled_elsewhere, sampled_launches, segments, steps
CREATE VIEW rules_input_pipeline AS
WITH analysed AS (
    SELECT count(*) AS steps FROM steps AS p, analysed_time AS t WHERE p.start_ns < t.end_ns AND p.end_ns > t.start_ns
)

SELECT segment_id, 24 AS priority, 'seen' AS basis
FROM matched_segments
WHERE cause = 'input_pipeline'
UNION ALL
SELECT segment_id, 24, 'seen'
FROM sampled_launches
WHERE cause = 'input_pipeline' AND NOT EXISTS (FROM loader_threads)
UNION ALL
SELECT segment_id, 45, 'seen'
FROM queue_waits
WHERE waits_for = 'input'
UNION ALL
SELECT s.segment_id, 61, 'inferred'
FROM segments AS s
INNER JOIN matched_segments AS m ON m.segment_id = s.segment_id AND m.cause = 'no_demand'
WHERE s.state = 'wait'
UNION ALL
SELECT s.segment_id, 26, 'inferred'
FROM segments AS s
INNER JOIN sampled_calls AS c ON c.global_tid = s.on_global_tid AND c.name_id = s.name_id AND c.cause = 'input_pipeline'
WHERE s.state IN ('io', 'wait') AND s.end_ns - s.start_ns < own_work_ns() AND NOT EXISTS (FROM loader_threads)
UNION ALL
SELECT s.segment_id, 25, 'named'
FROM segments AS s
INNER JOIN named_ranges AS n ON n.range_id = s.range_id AND n.cause = 'input_pipeline'
WHERE s.state IN ('run', 'launch', 'sleep', 'wait', 'io', 'memory')
UNION ALL
SELECT segment_id, 28, 'inferred'
FROM segments
WHERE
    state = 'wait' AND end_ns - start_ns >= long_wait_ns() AND pid IN (SELECT pid FROM loader_threads)
    AND segment_id NOT IN (FROM sampled_elsewhere('python', 'input_pipeline'))
UNION ALL
SELECT s.segment_id, 50, 'inferred'
FROM segments AS s
INNER JOIN gap_facts AS g ON g.gap_id = s.gap_id
WHERE
    g.upload AND g.length_ns >= own_work_ns() AND g.returned_bytes < batch_bytes() AND s.state IN ('run', 'sleep', 'wait')
    AND s.segment_id NOT IN (SELECT segment_id FROM loop_tails)
    AND s.gpu IN (
        SELECT u.gpu
        FROM gap_facts AS f
        INNER JOIN gaps AS u ON u.gap_id = f.gap_id
        INNER JOIN regimes AS r ON u.start_ns >= r.start_ns AND u.start_ns < r.end_ns AND r.kind <> 'start-up'
        WHERE f.upload AND f.length_ns >= own_work_ns()
        GROUP BY u.gpu
        HAVING
            count(*) <= 3 * (SELECT steps FROM analysed)
            AND count(CASE WHEN f.returned_bytes < batch_bytes() THEN 1 END) >= 0.1 * (SELECT steps FROM analysed)
    );

-- Where Python samples find the thread as it starts and ends workers, that is the reason. Where most of the time is lost as a
-- validation or an epoch begins, or, without samples, in a quarter of the steps, workers may be started again and again.
-- reads: activities, batch_wait_times, cause_totals, dispatchers, evidence_steps, framework, frontends, gaps, gil_share
-- reads: loader_threads, long_os_calls, own_work_ns, pid_of, producer_samples, python_samples, python_stacks, regimes
-- reads: sampled_stacks, samples_beside_waits, socket_calls, stacks_in_segments, window, window_regimes, window_segments
CREATE VIEW fix_input_pipeline AS
WITH stacks AS (
    SELECT
        avg(
            CAST(regexp_matches(frames, 'torch/utils/data/dataloader\.py:(_get_iterator|_shutdown_workers)') AS INTEGER)
        ) AS restarting,
        avg(CAST(regexp_matches(frames, 'multiprocessing/connection\.py:(_?recv|_?poll|wait)') AS INTEGER)) AS receiving
    FROM stacks_in_segments
    WHERE cause = 'input_pipeline'
),

firsts AS (
    SELECT sum(s.end_ns - s.start_ns) AS lost_ns
    FROM window_segments AS s
    INNER JOIN gaps AS g ON g.gap_id = s.gap_id
    INNER JOIN regimes AS r ON g.start_ns < r.start_ns + 0.05 * (r.end_ns - r.start_ns) AND g.end_ns > r.start_ns
    WHERE s.cause = 'input_pipeline' AND r.kind IN ('validation', 'epoch start')
),

-- the gaps in which an epoch begins with the workers of the one before
begun AS (
    SELECT sum(end_ns - start_ns) AS lost_ns
    FROM window_segments
    WHERE
        cause = 'input_pipeline'
        AND gap_id IN (
            SELECT g.gap_id
            FROM sampled_stacks AS s
            ASOF INNER JOIN gaps AS g ON g.global_tid = s.global_tid AND s.at_ns >= g.start_ns
            WHERE
                s.at_ns < g.end_ns
                AND s.stack_id IN (
                    SELECT stack_id FROM python_stacks
                    WHERE regexp_matches(frames, 'dataloader\.py:_reset < [^ ]*dataloader\.py:__iter__')
                )
        )
),

-- in calls that begin right after the thread asked for what they wait for
asked AS (
    SELECT sum(s.end_ns - s.start_ns) AS lost_ns
    FROM (SELECT * FROM window_segments WHERE cause = 'input_pipeline' AND state IN ('io', 'wait')) AS s
    ASOF INNER JOIN (SELECT global_tid, start_ns, end_ns FROM socket_calls WHERE waits) AS r
        ON r.global_tid = s.on_global_tid AND s.start_ns >= r.start_ns
    ASOF INNER JOIN (SELECT global_tid, end_ns FROM socket_calls WHERE sends) AS w
        ON w.global_tid = r.global_tid AND r.start_ns >= w.end_ns
    WHERE s.start_ns < r.end_ns AND r.start_ns - w.end_ns < own_work_ns()
),

-- when those who make the batches wait, for room in the queue or for their own input
producer_waits AS (
    SELECT sum(o.end_ns - o.start_ns) AS ns
    FROM long_os_calls AS o
    INNER JOIN window_regimes AS r ON o.start_ns >= r.start_ns AND o.start_ns < r.end_ns
    WHERE
        o.kind = 'wait'
        AND o.global_tid IN (
            SELECT s.global_tid FROM python_samples AS s INNER JOIN producer_samples AS p ON p.sample_id = s.sample_id
        )
),

-- how many threads of a process make the batches, for how long in all, and how often the others wait where they work
turns AS (
    SELECT
        pid_of(b.global_tid) AS pid,
        count(DISTINCT CASE WHEN b.works THEN b.global_tid END) AS threads,
        sum(CASE WHEN b.works THEN b.usual_ns END) AS worked_ns,
        avg(CASE WHEN NOT b.works THEN CAST(w.stack_id IS NOT NULL AS INTEGER) END) AS waiting_share
    FROM samples_beside_waits AS b
    INNER JOIN sampled_stacks AS s ON s.sample_id = b.sample_id
    LEFT JOIN (
        SELECT DISTINCT stack_id FROM sampled_stacks WHERE sample_id IN (SELECT sample_id FROM producer_samples)
    ) AS w ON w.stack_id = s.stack_id
    GROUP BY pid_of(b.global_tid)
),

-- 1.25: what a sample counts for is no exact time
taking_turns AS (
    SELECT max(t.threads) AS threads
    FROM turns AS t
    INNER JOIN (SELECT track AS pid, sum(end_ns - start_ns) AS ns FROM batch_wait_times GROUP BY track) AS w ON w.pid = t.pid
    WHERE t.threads >= 2 AND t.waiting_share >= 0.5 AND t.worked_ns <= 1.25 * w.ns
),

facts AS (
    SELECT
        sum(CASE WHEN state = 'wait' THEN end_ns - start_ns ELSE 0 END) AS wait_ns,
        sum(CASE WHEN state = 'launch' THEN end_ns - start_ns ELSE 0 END) AS launch_ns,
        sum(CASE WHEN basis = 'inferred' THEN end_ns - start_ns ELSE 0 END) AS inferred_ns,
        sum(end_ns - start_ns) AS lost_ns,
        (SELECT count(*) > 0 FROM loader_threads WHERE pid NOT IN (SELECT pid FROM activities)) AS has_workers,
        coalesce((SELECT lost_ns FROM firsts), 0) AS first_ns,
        coalesce((SELECT lost_ns FROM begun), 0) AS begun_ns,
        coalesce((SELECT lost_ns FROM asked), 0) AS asked_ns,
        (
            SELECT count(*) > 0
            FROM evidence_steps AS e
            INNER JOIN "window" AS w ON 4 * e.steps <= w.steps
            WHERE e.cause = 'input_pipeline'
        ) AS in_few_steps,
        (SELECT gil_share FROM gil_share) AS gil_share,
        (SELECT threads FROM taking_turns) AS turn_threads,
        (SELECT restarting FROM stacks) AS restart_share,
        coalesce((SELECT receiving FROM stacks), 0) AS receiving_share,
        EXISTS (FROM cause_totals WHERE cause = 'no_demand' AND costs_enough) OR EXISTS (FROM frontends) AS serves,
        (SELECT ns FROM producer_waits) AS producers_wait_ns,
        sum(CASE WHEN on_global_tid IN (SELECT global_tid FROM dispatchers) THEN end_ns - start_ns ELSE 0 END) AS dispatcher_ns
    FROM window_segments
    WHERE cause = 'input_pipeline'
)

SELECT
    CASE
        WHEN restart_share >= 0.5
            THEN
                format(
                    'For {:.0f} % of this time, the thread starts and ends the worker processes of a DataLoader: make it '
                    || 'once (each new one starts new workers), with persistent_workers=True, so that they stay from one epoch '
                    || 'to the next, and no more workers than an epoch has batches for.',
                    100 * restart_share
                )
        WHEN has_workers AND begun_ns >= 0.5 * lost_ns
            THEN
                'The training thread waits for the first batches of an epoch, which its worker processes begin only then, though '
                || 'they make the later ones in time. Let an epoch have more batches (a sampler without an end, or one that '
                || 'repeats the data), or call iter() for the next epoch before this one ends.'
        WHEN
            has_workers AND (wait_ns >= 0.5 * lost_ns OR receiving_share >= 0.5)
            AND (first_ns >= 0.5 * lost_ns OR (in_few_steps AND restart_share IS NULL))
            AND coalesce(restart_share, 1) > 0
            THEN
                'The training thread waits for the first batches of its worker processes, as where each epoch and each '
                || 'validation starts new ones: make each DataLoader once, with persistent_workers=True, so that they stay. If '
                || 'it waits within an epoch, raise num_workers towards the number of CPU cores and prefetch_factor, and make '
                || 'each sample cheaper.'
        WHEN has_workers AND (wait_ns >= 0.5 * lost_ns OR receiving_share >= 0.5)
            THEN
                'The training thread waits for batches that its worker processes cannot make fast enough. Raise num_workers '
                || 'towards the number of CPU cores, raise prefetch_factor, set persistent_workers=True, and make each sample '
                || 'cheaper (decode smaller images, cache, tokenise beforehand).'
        WHEN receiving_share >= 0.5 AND asked_ns >= 0.5 * lost_ns
            THEN
                'The launching thread writes to another process right before it waits for a batch of it. If it asks only then, '
                || 'ask for the next batch before this one is used, so that it is made meanwhile. If it asks ahead already, '
                || 'start more processes, towards the number of CPU cores, and make each batch cheaper.'
        -- a pipe is read like a file, also while nothing is in it
        WHEN receiving_share >= 0.5
            THEN
                'The launching thread waits for batches that other processes send, and cannot make fast enough. Start more of '
                || 'them, towards the number of CPU cores, let them work ahead, and make each batch cheaper.'
        WHEN wait_ns >= 0.5 * lost_ns AND EXISTS (FROM producer_samples)
            THEN
                'The launching thread waits for what other threads of the program make. '
                || CASE
                    WHEN gil_share IS NULL THEN 'Let more threads do it at once, or processes if it is Python code.'
                    WHEN gil_share >= 0.5
                        THEN format(
                            'Let processes do it: for {:.0f} % of this time one thread has Python''s GIL, for which others wait.',
                            100 * gil_share
                        )
                    WHEN turn_threads >= 2
                        THEN format(
                            '{} threads take turns: one works, and the others wait where it works, for a lock that is not '
                            || 'Python''s GIL but one of a library, as HDF5 has one. More threads do not help: let processes do '
                            || 'it, or do under that lock only what needs it.',
                            turn_threads
                        )
                    ELSE format(
                        'Let more of them do it at once: for {:.0f} % of this time, no thread has Python''s GIL.',
                        100 - 100 * gil_share
                    )
                END
                || CASE
                    WHEN in_few_steps AND producers_wait_ns >= 0.25 * lost_ns
                        THEN
                            ' They wait as well, at other times: a longer queue covers a batch that takes long.'
                    ELSE ''
                END
        -- without --trace-fork-before-exec the workers of a DataLoader are not in the trace
        WHEN wait_ns >= 0.5 * lost_ns
            THEN
                'The launching thread waits for input that another thread or process does not deliver fast enough. '
                || CASE
                    WHEN framework = 'pytorch'
                        THEN
                            'If a DataLoader makes it, raise num_workers towards the number of CPU cores, raise prefetch_factor, '
                            || 'set persistent_workers=True, and make each sample cheaper; if'
                    ELSE 'If'
                END
                || ' a thread of this program does, let '
                || CASE
                    WHEN framework IS NULL THEN 'several do it at once'
                    ELSE 'processes do it, since Python runs one thread at a time'
                END
                || '; if it is requests, the GPU could serve more.'
        WHEN dispatcher_ns >= 0.5 * lost_ns
            THEN
                'The thread that gives a pool its work, as an event loop does, makes the input itself, and nothing is launched '
                || 'meanwhile. Make it in other processes (concurrent.futures.ProcessPoolExecutor), and several at once.'
        WHEN serves
            THEN
                'The input of each request is made on the launching thread. Make it in other processes while the GPU works on '
                || 'the request before it, or on the GPU itself, and let several requests share one batch.'
        ELSE
            'The batch is made on the launching thread itself. Make the next one meanwhile in other processes '
            || CASE framework
                WHEN 'jax' THEN '(as Grain and tf.data do), '
                WHEN 'pytorch'
                    THEN '(a DataLoader with num_workers=8 or more, pin_memory=True and persistent_workers=True), '
                ELSE 'or threads, '
            END
            || 'or on the GPU, so that it is ready in time.'
            || CASE
                WHEN framework = 'jax' AND launch_ns >= 0.5 * lost_ns
                    THEN
                        ' Most of this time launches small programs: each operation on a JAX array is one, also indexing. Make '
                        || 'the batch of NumPy arrays.'
                WHEN inferred_ns >= 0.5 * lost_ns
                    THEN
                        ' If it depends on what the step before computed, as a search or a simulation does, no process can make '
                        || 'it ahead: make it cheaper, or move it to the GPU.'
                ELSE ''
            END
    END AS fix
FROM facts, framework;

-- reads: activities, cause_totals, loader_threads, os_calls
CREATE VIEW notes_input_pipeline AS
SELECT
    'DataLoader workers were not traced: why they are slow is unknown. `gapfinder capture --follow-forks` records them, but '
    || 'nsys warns that it may crash them.' AS note
WHERE
    EXISTS (FROM loader_threads)
    AND EXISTS (FROM cause_totals WHERE cause = 'input_pipeline' AND costs_enough)
    AND NOT EXISTS (
        FROM os_calls
        WHERE pid IN (SELECT pid FROM loader_threads) AND pid NOT IN (SELECT pid FROM activities)
    );
