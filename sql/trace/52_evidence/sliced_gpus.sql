-- One row for each GPU that seems to be shared with a process which is not in the trace. The GPU gives each process a time slice,
-- and a kernel that is interrupted seems to run for the slices of the others, too: kernels that have nothing in common now and
-- then take the same time longer than they usually do. A kernel whose time depends on its data does so by a time of its own.
-- Many kernels of one name run over data of different sizes: a kernel is compared with those at its place in the other steps.
-- reads: window_activities, window_steps
CREATE TABLE sliced_gpus AS
WITH runs AS (
    SELECT
        a.gpu,
        a.name_id,
        a.end_ns - a.start_ns AS run_ns,
        CASE
            WHEN (SELECT count(*) FROM window_steps) >= 20
                THEN row_number() OVER (PARTITION BY a.gpu, a.name_id, s.step ORDER BY a.start_ns, a.activity_id)
        END AS place
    FROM (SELECT * FROM window_activities WHERE kind = 'compute' AND name_id IS NOT NULL) AS a
    ASOF INNER JOIN window_steps AS s ON a.start_ns >= s.start_ns
),

usual AS (
    SELECT gpu, name_id, place, median(run_ns) AS usual_ns
    FROM runs
    GROUP BY gpu, name_id, place
    HAVING count(*) >= 20 AND max(run_ns) > 2 * median(run_ns)
),

-- 200 us: a shorter interruption is none by another process
longer AS (
    SELECT r.gpu, r.name_id, r.run_ns - u.usual_ns AS extra_ns
    FROM runs AS r
    INNER JOIN usual AS u
        ON u.gpu = r.gpu AND u.name_id = r.name_id AND u.place IS NOT DISTINCT FROM r.place AND r.run_ns > 2 * u.usual_ns
    WHERE r.run_ns - u.usual_ns > 200000
),

slices AS (
    SELECT gpu, median(extra_ns) AS slice_ns, sum(extra_ns) AS extra_ns, count(*) AS times FROM longer GROUP BY gpu
),

agreeing AS (
    SELECT l.gpu, count(*) AS times, count(DISTINCT l.name_id) AS kernels
    FROM longer AS l
    INNER JOIN slices AS s ON s.gpu = l.gpu AND l.extra_ns BETWEEN 0.75 * s.slice_ns AND 1.25 * s.slice_ns
    GROUP BY l.gpu
)

SELECT s.gpu, CAST(s.slice_ns AS BIGINT) AS slice_ns, a.times, a.kernels, s.extra_ns / c.run_ns AS share
FROM slices AS s
INNER JOIN agreeing AS a ON a.gpu = s.gpu
INNER JOIN (SELECT gpu, sum(run_ns) AS run_ns FROM runs GROUP BY gpu) AS c ON c.gpu = s.gpu
-- three kernels that agree by chance are rare; that most of all that take longer do so, more so
WHERE a.kernels >= 3 AND a.times >= 10 AND a.times >= 0.6 * s.times AND s.extra_ns >= 0.1 * c.run_ns;

COMMENT ON TABLE sliced_gpus IS 'GPUs that seem to be shared, in time slices, with a process that is not in the trace';
COMMENT ON COLUMN sliced_gpus.slice_ns IS 'for how long another process runs at a time (median), ns';
COMMENT ON COLUMN sliced_gpus.times IS 'number of kernels that were interrupted';
COMMENT ON COLUMN sliced_gpus.kernels IS 'number of different kernels among them';
COMMENT ON COLUMN sliced_gpus.share IS 'of the time of all kernels, how much they were interrupted, 0 to 1';
