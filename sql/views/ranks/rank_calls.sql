-- The calls in which each rank loses the time of each cause, as evidence_calls has them for all GPUs: the two that cost most, and
-- a hundredth of its time or more.
-- reads: call_losses, ledger, rank_gpus, thread_names
CREATE VIEW rank_calls AS
SELECT n.gpu, n.cause, n.name, h.thread, n.gaps, n.lost_ns
FROM call_losses AS n
INNER JOIN ledger AS l ON l.gpu = n.gpu AND l.cause = n.cause AND n.lost_ns >= 0.01 * l.lost_ns
LEFT JOIN thread_names AS h ON h.global_tid = n.on_global_tid
WHERE n.gpu IN (SELECT gpu FROM rank_gpus)
QUALIFY row_number() OVER (PARTITION BY n.gpu, n.cause ORDER BY n.lost_ns DESC, n.name, n.on_global_tid) <= 2
ORDER BY n.gpu, n.cause, n.lost_ns DESC, n.name;

COMMENT ON VIEW rank_calls IS 'the calls in which each rank loses the time of each cause, the two that cost most';
COMMENT ON COLUMN rank_calls.gpu IS 'physical GPU: the rank';
COMMENT ON COLUMN rank_calls.lost_ns IS 'as in call_losses';
