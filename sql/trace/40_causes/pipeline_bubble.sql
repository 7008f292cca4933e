/* cause
meaning = "a stage of the pipeline waited for its turn"
usual_fix = """Use more micro-batches for each step, or an interleaved schedule: with p stages and m micro-batches, the \
bubble is (p-1)/(m+p-1) of the step."""
color = "#7d8fa3"
color_dark = "#9fb3c8"
by_design_in = ["pipeline parallel"]
remove = false
*/

-- Stages in processes of their own wait for each other's messages; without NCCL's marks, its kernel may also be that of ranks
-- that all exchange data. Stages in one process wait while it computes on another GPU.
-- reads: collectives, communication_kinds, segments, stage_gaps, stage_pairs
CREATE VIEW rules_pipeline_bubble AS
SELECT s.segment_id, 9 AS priority, CASE WHEN k.communicator IS NULL THEN 'inferred' ELSE 'seen' END AS basis
FROM segments AS s
INNER JOIN collectives AS c ON c.activity_id = s.activity_id
INNER JOIN communication_kinds AS k ON k.activity_id = s.activity_id
SEMI JOIN stage_pairs AS p ON p.gpu = c.gpu AND p.last_gpu = c.last_gpu
WHERE s.state = 'communication' AND k.kind = 'SendRecv' AND s.end_ns <= c.all_arrived_ns
UNION ALL
SELECT s.segment_id, 57, 'inferred'
FROM segments AS s
INNER JOIN stage_gaps AS t ON t.gap_id = s.gap_id
WHERE s.state IN ('launch', 'run', 'wait', 'queued', 'stalled');

-- reads: communication_kinds, stage_gaps
CREATE VIEW fix_pipeline_bubble AS
SELECT
    'One process computes on several GPUs in turn. Split each batch into micro-batches that follow each other through the GPUs, '
    || 'as torch.distributed.pipelining does, or let each GPU work on its own batch with the whole model '
    || '(DistributedDataParallel) or with parts of each layer (FSDP).' AS fix
WHERE EXISTS (FROM stage_gaps) AND NOT EXISTS (FROM communication_kinds WHERE kind = 'SendRecv');
