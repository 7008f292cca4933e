-- The jobs of the fleet, those that lose most GPU time first. The verdict is that on a job whose ranks have a trace each.
-- reads: job_causes, kept.aligned, traces
CREATE VIEW jobs AS
WITH lost AS (
    SELECT
        job,
        sum(ns) FILTER (WHERE cause <> 'compute') AS lost_ns,
        sum(ns) FILTER (WHERE cause <> 'compute') / sum(ns) AS lost_share,
        arg_max(cause, CASE WHEN cause <> 'compute' THEN ns END) AS worst_cause
    FROM job_causes
    GROUP BY job
),

aligned AS (
    SELECT
        job,
        any_value(job_verdict) AS verdict,
        any_value(job_headline) AS headline,
        any_value(late_rank) AS late_rank,
        any_value(late_cause) AS late_cause,
        any_value(waiting_share) AS waiting_share
    FROM kept.aligned
    GROUP BY job
)

SELECT
    t.job,
    min(t."day") AS first_day,
    max(t."day") AS last_day,
    count(*) AS traces,
    count(*) FILTER (WHERE NOT t.good) AS bad_traces,
    coalesce(sum(t.gpus), 0) AS gpus,
    median(t.step_ns) FILTER (WHERE t.has_steps) AS step_ns,
    CAST(coalesce(any_value(l.lost_ns), 0) AS BIGINT) AS lost_ns,
    coalesce(any_value(l.lost_share), 0) AS lost_share,
    any_value(l.worst_cause) AS worst_cause,
    any_value(a.verdict) AS verdict,
    any_value(a.headline) AS headline,
    any_value(a.late_rank) AS late_rank,
    any_value(a.late_cause) AS late_cause,
    any_value(a.waiting_share) AS waiting_share
FROM traces AS t
LEFT JOIN lost AS l ON l.job = t.job
LEFT JOIN aligned AS a ON a.job = t.job
GROUP BY t.job
ORDER BY lost_ns DESC, t.job;

COMMENT ON VIEW jobs IS 'the jobs of the fleet, those that lose most GPU time first';
COMMENT ON COLUMN jobs.first_day IS 'the first day on which one of its traces was captured; NULL where none says';
COMMENT ON COLUMN jobs.last_day IS 'the last one';
COMMENT ON COLUMN jobs.traces IS 'number of its traces';
COMMENT ON COLUMN jobs.bad_traces IS 'those that cannot be used';
COMMENT ON COLUMN jobs.gpus IS 'GPUs of its good traces';
COMMENT ON COLUMN jobs.step_ns IS 'median of its traces'' mean steps, ns; NULL where none has steps';
COMMENT ON COLUMN jobs.lost_ns IS 'lost time in all of its windows, ns';
COMMENT ON COLUMN jobs.lost_share IS 'of all of its windows, 0 to 1';
COMMENT ON COLUMN jobs.verdict IS 'the verdict on its ranks together; NULL where no two of its traces share a collective';
COMMENT ON COLUMN jobs.headline IS 'the same in one sentence, with a range of the step without it: `gapfinder diagnose` of its traces predicts a number';
COMMENT ON COLUMN jobs.late_rank IS 'the rank that the others wait for; NULL where none is late, or it changes';
COMMENT ON COLUMN jobs.late_cause IS 'what it does instead: compute, or the id of a cause; NULL where none is late';
COMMENT ON COLUMN jobs.waiting_share IS 'share of a step that the rank that waits longest waits, 0 to 1; NULL where none is late';
