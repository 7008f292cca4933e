-- One row for each name of a file call, or of a call that waits, on a thread, in whose brief calls most Python samples speak for
-- one cause. A pipe is read and written like a file, and polled: what processes send each other tells only by its code, and one
-- call is too brief for a sample.
-- reads: own_work_ns, sample_matches, segments
CREATE TABLE sampled_calls AS
WITH brief AS (
    SELECT DISTINCT on_global_tid, name_id, start_ns, end_ns
    FROM segments
    WHERE state IN ('io', 'wait') AND end_ns - start_ns < own_work_ns() AND EXISTS (FROM sample_matches)
),

inside AS (
    SELECT c.on_global_tid AS global_tid, c.name_id, s.cause
    FROM (SELECT * FROM sample_matches WHERE kind = 'python') AS s
    ASOF INNER JOIN brief AS c ON c.on_global_tid = s.global_tid AND s.at_ns >= c.start_ns
    WHERE s.at_ns < c.end_ns
),

counted AS (
    SELECT global_tid, name_id, cause, count(*) AS samples, sum(count(*)) OVER (PARTITION BY global_tid, name_id) AS all_samples
    FROM inside
    GROUP BY global_tid, name_id, cause
)

-- 3: one sample may be of something else
SELECT global_tid, name_id, cause
FROM counted
WHERE cause IS NOT NULL AND samples >= 3 AND 2 * samples > all_samples;

COMMENT ON TABLE sampled_calls IS 'file calls, and calls that wait, of a name, of which samples tell the cause';
COMMENT ON COLUMN sampled_calls.name_id IS 'name of the calls, in strings';
