-- One row for each GPU that processes of the trace share, and how much longer kernels run there beside those of another process
-- than alone. Kernels of one name run over data of different sizes: a kernel of the process that has the steps is compared with
-- those at its place in other steps.
-- reads: devices, shared_gpus, step_marks, step_ranges, window_activities, window_steps
CREATE TABLE slowed_gpus AS
WITH runs AS (
    SELECT
        a.gpu,
        a.pid,
        a.name_id,
        a.start_ns,
        a.end_ns,
        max(a.end_ns) OVER (PARTITION BY a.gpu, a.pid ORDER BY a.start_ns) AS reached_ns,
        row_number() OVER (PARTITION BY a.gpu, a.pid, a.name_id, s.step ORDER BY a.start_ns, a.activity_id) AS place
    FROM (
        FROM window_activities WHERE kind = 'compute' AND name_id IS NOT NULL AND gpu IN (SELECT gpu FROM shared_gpus)
    ) AS a
    ASOF INNER JOIN window_steps AS s ON a.start_ns >= s.start_ns
),

sharers AS (
    SELECT DISTINCT gpu, pid FROM runs
),

beside AS (
    SELECT
        r.gpu, r.pid, r.name_id, r.place, r.end_ns - r.start_ns AS run_ns,
        coalesce(bool_or(o.reached_ns > r.start_ns), false) AS slowed
    FROM (
        SELECT r.*, p.pid AS other_pid
        FROM runs AS r
        INNER JOIN sharers AS p ON p.gpu = r.gpu AND p.pid <> r.pid
        WHERE r.pid IN (SELECT pid FROM step_ranges) OR r.pid IN (SELECT pid FROM step_marks)
    ) AS r
    ASOF LEFT JOIN runs AS o ON o.gpu = r.gpu AND o.pid = r.other_pid AND o.start_ns < r.end_ns
    GROUP BY r.gpu, r.pid, r.name_id, r.place, r.start_ns, r.end_ns
),

longer AS (
    SELECT
        gpu,
        -- means: the processes take turns, so that few kernels wait, and long
        count(*) FILTER (slowed) * (avg(run_ns) FILTER (slowed) - avg(run_ns) FILTER (NOT slowed)) AS longer_ns
    FROM beside
    GROUP BY gpu, pid, name_id, place
    -- a mean of fewer tells little
    HAVING count(*) FILTER (slowed) >= 5 AND count(*) FILTER (NOT slowed) >= 5
)

SELECT l.gpu, sum(l.longer_ns) / any_value(d.window_ns) AS share
FROM longer AS l
INNER JOIN devices AS d ON d.gpu = l.gpu
GROUP BY l.gpu
HAVING sum(l.longer_ns) > 0;

COMMENT ON TABLE slowed_gpus IS 'GPUs on which processes of the trace slow each other''s kernels down';
COMMENT ON COLUMN slowed_gpus.share IS 'of the window, how much longer the kernels of the process that has the steps run than alone, 0 to 1';
