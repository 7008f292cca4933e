-- One row for each long segment in which the launching thread waits while other threads of its process run code: CPU samples find
-- them running for half of the time or more. A thread is sampled only while it runs, at the usual distance.
--
-- Tokenizers in Rust, OpenMP and thread pools of C++ hand work to threads like these, and the launching thread waits in a futex.
-- reads: cpu_samples, long_wait_ns, pid_of, segments
CREATE TABLE worker_waits AS
WITH waits AS (
    SELECT segment_id, gpu, pid, on_global_tid, start_ns, end_ns
    FROM segments
    WHERE state = 'wait' AND end_ns - start_ns >= long_wait_ns() AND EXISTS (FROM cpu_samples)
),

samples AS (
    SELECT
        pid_of(global_tid) AS pid,
        global_tid,
        at_ns,
        at_ns - lag(at_ns) OVER (PARTITION BY global_tid ORDER BY at_ns) AS distance_ns
    FROM cpu_samples
    WHERE pid_of(global_tid) IN (SELECT pid FROM waits)
),

-- of the thread that runs most
usual AS (
    SELECT min(distance_ns) AS distance_ns
    FROM (SELECT median(distance_ns) AS distance_ns FROM samples GROUP BY global_tid HAVING count(*) >= 10)
),

-- The segments of one GPU do not overlap. Threads that run at once are one time: that of the distance in which they are sampled.
inside AS (
    SELECT w.segment_id, w.end_ns - w.start_ns AS length_ns, s.at_ns - w.start_ns AS since_ns
    FROM samples AS s
    INNER JOIN (SELECT DISTINCT gpu, pid FROM waits) AS g ON g.pid = s.pid
    ASOF INNER JOIN waits AS w ON w.gpu = g.gpu AND w.pid = s.pid AND s.at_ns >= w.start_ns
    WHERE s.at_ns < w.end_ns AND s.global_tid <> w.on_global_tid
),

times AS (
    SELECT DISTINCT i.segment_id, i.length_ns, u.distance_ns, i.since_ns // CAST(u.distance_ns AS BIGINT) AS nth
    FROM inside AS i, usual AS u
)

SELECT segment_id
FROM times
GROUP BY segment_id, length_ns, distance_ns
HAVING count(*) * distance_ns >= 0.5 * length_ns;

COMMENT ON TABLE worker_waits IS 'long waits of the launching thread in which other threads of its process run';
