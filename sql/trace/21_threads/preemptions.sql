-- One row for each time for which a launching thread could run and had no core. Either another traced thread had that core for
-- at least half of the time, or something that is not traced had it: then the thread must lose cores so for a third of the time
-- for which it had or lost one, since another program that always wants the core takes half of it.
--
-- Other losses are waits that are not traced: for pages of a library that is loaded, or of XLA's threads, which wait without
-- the C library. In 28 programs that had cores of their own these took at most 18 % of a thread's time; a thread that shared its
-- core with three other programs lost 73 %.
-- reads: core_losses, core_runs, intersect_tiles, profiler_threads
CREATE TABLE preemptions AS
WITH others AS (
    SELECT p.id, r.global_tid, sum(p.end_ns - p.start_ns) AS ran_ns
    FROM intersect_tiles('core_losses', 'core_runs') AS p
    INNER JOIN core_runs AS r ON r.id = p.tile_id
    GROUP BY p.id, r.global_tid
),

longest AS (
    SELECT id, sum(ran_ns) AS ran_ns, arg_max(global_tid, (ran_ns, global_tid)) AS global_tid
    FROM others
    GROUP BY id
),

losses AS (
    SELECT l.*, CASE WHEN 2 * o.ran_ns >= l.end_ns - l.start_ns THEN o.global_tid END AS to_global_tid
    FROM core_losses AS l
    LEFT JOIN longest AS o USING (id)
),

starved AS (
    SELECT l.global_tid
    FROM (
        SELECT global_tid, sum(end_ns - start_ns) AS lost_ns
        FROM losses
        WHERE to_global_tid IS NULL AND end_ns - start_ns <= 20000000 -- a scheduler gives the core to nobody for longer
        GROUP BY global_tid
    ) AS l
    INNER JOIN (SELECT global_tid, sum(end_ns - start_ns) AS ran_ns FROM core_runs GROUP BY global_tid) AS r USING (global_tid)
    WHERE 2 * l.lost_ns >= r.ran_ns
)

SELECT
    l.global_tid,
    l.track AS core,
    l.start_ns,
    l.end_ns,
    l.to_global_tid,
    l.to_global_tid IS NOT NULL AND l.to_global_tid IN (SELECT global_tid FROM profiler_threads) AS for_profiler
FROM losses AS l
WHERE l.to_global_tid IS NOT NULL OR l.global_tid IN (SELECT global_tid FROM starved);

COMMENT ON TABLE preemptions IS 'when launching threads could run and had no core';
COMMENT ON COLUMN preemptions.core IS 'the core that it lost';
COMMENT ON COLUMN preemptions.start_ns IS 'when it lost its core, ns since the session began';
COMMENT ON COLUMN preemptions.end_ns IS 'when it got one again, ns';
COMMENT ON COLUMN preemptions.to_global_tid IS 'the traced thread that had the core for longest meanwhile; NULL if none had it for half';
COMMENT ON COLUMN preemptions.for_profiler IS 'true where that is a thread of Nsight Systems';
