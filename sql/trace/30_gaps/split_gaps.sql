-- The long gaps of processes that drive several GPUs in turn, as intervals of the process.
--
-- 1.2: with the layers of a model on two or four GPUs, kernels take 1.01 times the time in which any of these GPUs computes, and
-- with nn.DataParallel on two GPUs 1.4 times.
-- reads: gaps, own_work_ns, split_compute, split_computing
CREATE TABLE split_gaps AS
WITH computed AS (
    SELECT track, sum(end_ns - start_ns) AS ns FROM split_compute GROUP BY track
),

in_turn AS (
    SELECT k.track
    FROM computed AS k
    INNER JOIN (SELECT track, sum(end_ns - start_ns) AS ns FROM split_computing GROUP BY track) AS c ON c.track = k.track
    WHERE k.ns <= 1.2 * c.ns
)

SELECT gap_id AS id, pid AS track, start_ns, end_ns
FROM gaps
WHERE end_ns - start_ns >= own_work_ns() AND pid IN (SELECT track FROM in_turn);

COMMENT ON TABLE split_gaps IS 'long gaps of processes that drive several GPUs in turn';
COMMENT ON COLUMN split_gaps.id IS 'gap_id of gaps';
