-- One row for each communication activity of the whole trace, with what NCCL says of it.
-- reads: activities, communication_kinds, rank_gpus, window
CREATE VIEW rank_collectives AS
SELECT
    a.activity_id,
    a.gpu,
    a.stream,
    a.start_ns,
    a.end_ns,
    k.kind,
    k.communicator,
    k.bytes,
    k.peer,
    a.end_ns > w.start_ns AND a.end_ns <= w.end_ns AS in_window
FROM activities AS a
INNER JOIN communication_kinds AS k ON k.activity_id = a.activity_id
CROSS JOIN "window" AS w
WHERE a.gpu IN (SELECT gpu FROM rank_gpus)
ORDER BY a.gpu, a.end_ns, a.activity_id;

COMMENT ON VIEW rank_collectives IS 'communication activities of each rank, in the order in which they end, with what NCCL says of them';
COMMENT ON COLUMN rank_collectives.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_collectives.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN rank_collectives.end_ns IS 'GPU end, ns';
COMMENT ON COLUMN rank_collectives.kind IS 'as in communication_kinds';
COMMENT ON COLUMN rank_collectives.in_window IS 'true where it ends in the window';
