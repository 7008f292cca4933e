-- One row for each process: how much its rank computes, compared with the mean of all GPUs that take part in collectives. The
-- replay of one rank reads it.
-- reads: activities, activity_totals, collectives, devices
CREATE TABLE replay_ranks AS
WITH ranks AS (
    SELECT d.gpu, d.compute_ns
    FROM devices AS d
    SEMI JOIN (
        SELECT a.gpu FROM activities AS a INNER JOIN collectives AS c ON c.activity_id = a.activity_id WHERE c.peers > 0
    ) AS t ON t.gpu = d.gpu
),

own AS (
    SELECT t.pid, avg(r.compute_ns) AS compute_ns
    FROM (SELECT DISTINCT pid, gpu FROM activity_totals) AS t
    LEFT JOIN ranks AS r ON r.gpu = t.gpu
    GROUP BY t.pid
)

SELECT pid, coalesce((SELECT avg(compute_ns) FROM ranks) / compute_ns, 1.0) AS fair_factor
FROM own;

COMMENT ON TABLE replay_ranks IS 'how much the rank of each process computes, compared with the others';
COMMENT ON COLUMN replay_ranks.fair_factor IS 'mean compute time of the ranks, divided by that of this one';
