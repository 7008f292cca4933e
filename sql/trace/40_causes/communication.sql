/* cause
meaning = "data moved between GPUs while nothing computed"
usual_fix = "Overlap it: start collectives during the backward pass, prefetch shards, send fewer bytes."
needs = ["all_ranks"]
color = "#6889e3"
color_dark = "#6da5fc"
by_design_in = ["tensor parallel"]

[[states]]
state = "communication"
priority = 12

[remove]
overlapped = ["communication"]
*/

-- Exposed collectives are a state. Here: what a thread does that carries them out on the CPU, and the waits of other threads for
-- half of which one is on its way. So are waits for transfers; where the thread only seems to run, all that shows its own work
-- comes first.
-- reads: collective_waits, cpu_collectives, segments, transfer_waits
CREATE VIEW rules_communication AS
SELECT segment_id, 15 AS priority, 'seen' AS basis
FROM segments
WHERE
    on_global_tid IN (SELECT global_tid FROM cpu_collectives)
    AND state IN ('run', 'launch', 'sleep', 'wait', 'lock', 'io', 'off_cpu')
UNION ALL
SELECT segment_id, 22, 'inferred'
FROM collective_waits
UNION ALL
SELECT s.segment_id, CASE WHEN s.state = 'run' THEN 50 ELSE 22 END, 'inferred'
FROM transfer_waits AS w
INNER JOIN segments AS s ON s.segment_id = w.segment_id;

-- Gloo and MPI carry collectives out on the CPU, NCCL on the GPU.
-- reads: activities, communication_kinds, framework, strings, training_processes, window_segments
CREATE VIEW fix_communication AS
WITH on_cpu AS (
    SELECT sum(CASE WHEN state <> 'communication' THEN end_ns - start_ns ELSE 0 END) / sum(end_ns - start_ns) AS share
    FROM window_segments
    WHERE cause = 'communication'
),

alone AS (
    SELECT
        t.text AS name,
        any_value(k.kind) AS kind,
        regexp_matches(t.text, '_(b?f16|half|f8)|bfloat16', 'i') AS is_short
    FROM window_segments AS s
    INNER JOIN activities AS a ON a.activity_id = s.activity_id
    INNER JOIN communication_kinds AS k ON k.activity_id = a.activity_id
    LEFT JOIN strings AS t ON t.string_id = a.name_id
    WHERE s.state = 'communication' AND s.cause = 'communication'
    GROUP BY t.text
    ORDER BY sum(s.end_ns - s.start_ns) DESC
    LIMIT 1
)

SELECT
    CASE
        WHEN on_cpu.share >= 0.5
            THEN
                'These collectives and transfers run on the CPU, and their data goes through its memory and sockets. Give each '
                || 'process a GPU and communicate there, with NCCL (init_process_group("nccl")); else start them early '
                || '(async_op=True, isend), and send fewer bytes.'
        ELSE
            format('Overlap {} with compute: ', coalesce(name, 'the collective'))
            || CASE
                WHEN framework = 'pytorch' AND kind = 'AllReduce' AND NOT EXISTS (FROM training_processes)
                    THEN
                        'split the batch in two, so that one half computes while the other is summed'
                        || CASE WHEN is_short THEN '.' ELSE ', and sum in bf16.' END
                WHEN framework = 'pytorch' AND kind = 'AllReduce'
                    THEN
                        'let DistributedDataParallel start it during the backward pass (smaller bucket_cap_mb, '
                        || 'gradient_as_bucket_view=True, no find_unused_parameters), '
                        || CASE WHEN is_short THEN '' ELSE 'send bf16 gradients (a communication hook), ' END
                        || 'or accumulate more micro-batches between two.'
                WHEN framework = 'pytorch' AND kind IN ('AllGather', 'ReduceScatter')
                    THEN
                        'prefetch the next shard (FSDP1: forward_prefetch=True; FSDP2: set_modules_to_forward_prefetch), keep '
                        || 'parameters until the backward pass if memory allows (SHARD_GRAD_OP; reshard_after_forward=False), or '
                        || 'shard less.'
                ELSE 'issue it earlier, on a stream of its own, and wait for it only where its result is used.'
            END
    END AS fix
FROM framework
CROSS JOIN on_cpu
LEFT JOIN alone ON true;

-- reads: ledger, lone_rank
CREATE VIEW notes_communication AS
SELECT
    'This report holds one rank: waiting for a late rank and moving data cannot be told apart in its collectives, '
    || 'and the floor holds both as recorded. Diagnose the other ranks'' reports too.' AS note
WHERE EXISTS (FROM ledger WHERE cause = 'communication') AND (FROM lone_rank);
