-- One row for each rank: a GPU that communicates in the window, and the process that communicates most on it.
-- reads: activity_totals, devices, sessions
CREATE VIEW rank_gpus AS
WITH talking AS (
    SELECT gpu, pid, sum(activities) AS activities FROM activity_totals WHERE kind = 'communication' GROUP BY gpu, pid
),

owners AS (
    SELECT gpu, max_by(pid, (activities, pid)) AS pid FROM talking GROUP BY gpu
)

SELECT o.gpu, o.pid, d.name AS gpu_name, s.started_ns
FROM owners AS o
INNER JOIN devices AS d ON d.gpu = o.gpu
LEFT JOIN (SELECT min(started_ns) AS started_ns FROM sessions) AS s ON true
ORDER BY o.gpu;

COMMENT ON VIEW rank_gpus IS 'GPUs of the trace that communicate in the window: each is a rank of the job';
COMMENT ON COLUMN rank_gpus.pid IS 'process that communicates on it';
COMMENT ON COLUMN rank_gpus.started_ns IS 'time 0 of the trace, ns since 1970; NULL where the trace does not say';
