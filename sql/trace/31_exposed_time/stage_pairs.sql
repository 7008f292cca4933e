-- One row for each GPU and each other one, if their processes wait for each other's messages in turn, as stages of a pipeline do.
-- Where only one of them waits, as a learner for its actor, the other is late.
--
-- 2 %: the two stages of a 1F1B schedule wait about as long as each other, a learner 37,000 times as long as its actor.
-- reads: collectives, communication_kinds
CREATE TABLE stage_pairs AS
WITH waits AS (
    SELECT c.gpu, c.last_gpu, sum(c.all_arrived_ns - c.start_ns) AS waiting_ns
    FROM collectives AS c
    INNER JOIN communication_kinds AS k ON k.activity_id = c.activity_id
    WHERE k.kind = 'SendRecv'
    GROUP BY c.gpu, c.last_gpu
)

SELECT w.gpu, w.last_gpu
FROM waits AS w
INNER JOIN waits AS o ON o.gpu = w.last_gpu AND o.last_gpu = w.gpu
WHERE least(w.waiting_ns, o.waiting_ns) >= 0.02 * greatest(w.waiting_ns, o.waiting_ns);

COMMENT ON TABLE stage_pairs IS 'pairs of GPUs whose processes wait for each other''s messages in turn, as stages of a pipeline';
COMMENT ON COLUMN stage_pairs.gpu IS 'physical GPU that waits';
COMMENT ON COLUMN stage_pairs.last_gpu IS 'physical GPU for which it waits';
