-- One row for each trace of the fleet, also for those that could not be read.
-- reads: kept.rows
CREATE VIEW traces AS
WITH shares AS (
    SELECT trace_id, sum(compute_ns) / sum(window_ns) AS compute_share, any_value(window_ns) AS window_ns
    FROM (SELECT trace_id, unnest(devices, max_depth := 2) FROM kept.rows)
    GROUP BY trace_id
)

SELECT
    r.trace_id,
    job,
    "rank",
    trace,
    error IS NULL AS good,
    CAST(make_timestamp_ns(started_utc_ns) AS DATE) AS "day",
    make_timestamp_ns(started_utc_ns) AS started_utc,
    len(devices) AS gpus,
    steps,
    step_ns,
    -- as window_unit tells it
    step_source NOT IN ('everything', 'time range') OR step_ns <> s.window_ns AS has_steps,
    step_name,
    s.window_ns,
    s.compute_share,
    1 - s.compute_share AS lost_share,
    verdict,
    headline,
    replay_error,
    damage,
    size_bytes
FROM kept.rows AS r
LEFT JOIN shares AS s ON s.trace_id = r.trace_id
ORDER BY job, "rank", trace;

COMMENT ON VIEW traces IS 'every trace of the fleet; where one could not be read, all but its place and size is NULL';
COMMENT ON COLUMN traces.trace_id IS 'number in the fleet, from 1; it changes when traces are added';
COMMENT ON COLUMN traces.job IS 'the job that it is of, by its path';
COMMENT ON COLUMN traces.rank IS 'rank in the job, by its path; NULL where that does not say';
COMMENT ON COLUMN traces.trace IS 'path or URL, as it was given';
COMMENT ON COLUMN traces.good IS 'true where it could be read and diagnosed, and is no copy of another one';
COMMENT ON COLUMN traces.day IS 'the day in UTC on which it was captured; NULL where it does not say';
COMMENT ON COLUMN traces.started_utc IS 'when the capture began, by the clock of its machine; NULL where it does not say';
COMMENT ON COLUMN traces.gpus IS 'number of GPUs that work in its window';
COMMENT ON COLUMN traces.steps IS 'number of whole steps in its window; 1 where none were found';
COMMENT ON COLUMN traces.step_ns IS 'mean time of a step, ns; that of its window where there are none';
COMMENT ON COLUMN traces.has_steps IS 'false where its window is one piece';
COMMENT ON COLUMN traces.step_name IS 'the NVTX range or kernel that marks a step; NULL where there is none';
COMMENT ON COLUMN traces.window_ns IS 'length of its window, ns';
COMMENT ON COLUMN traces.compute_share IS 'of the window, over its GPUs: compute, 0 to 1';
COMMENT ON COLUMN traces.lost_share IS 'of the window, over its GPUs: all other time, 0 to 1';
COMMENT ON COLUMN traces.verdict IS 'the cause with the most to win, or gpu_bound; with the other ranks of its job taken into account';
COMMENT ON COLUMN traces.headline IS 'the diagnosis in one sentence';
COMMENT ON COLUMN traces.damage IS 'what is missing or wrong in it, one sentence each; empty where nothing is';
COMMENT ON COLUMN traces.replay_error IS 'how far the unchanged replay is from the measured step, a share; NULL where none was made';
