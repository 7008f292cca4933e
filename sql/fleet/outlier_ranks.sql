-- Ranks that differ from the others of their job. In a job whose ranks wait for each other in collectives, the steps of all
-- ranks take as long, so a rank differs in what it loses, and to which cause.
--
-- A rank is far off where its modified z-score is more than 3.5 (Iglewicz and Hoaglin, How to Detect and Handle Outliers,
-- 1993), and the difference is more than the share of the job's step from which most causes are a finding. This score takes the
-- median as the middle and the median distance from it as the width, so that outliers do not move them. Where a job has fewer
-- than `compared_ranks` ranks, none is reported.
-- reads: kept.limits, rank_losses
CREATE VIEW outlier_ranks AS
WITH medians AS (
    SELECT *, median(per_step_ns) OVER (PARTITION BY job, cause) AS median_ns, count(*) OVER (PARTITION BY job, cause) AS ranks
    FROM rank_losses
),

distances AS (
    SELECT
        *,
        per_step_ns - median_ns AS excess_ns,
        median(abs(per_step_ns - median_ns)) OVER (PARTITION BY job, cause) AS usual_ns,
        max(CASE WHEN cause = 'step' THEN median_ns END) OVER (PARTITION BY job) AS step_ns
    FROM medians
)

SELECT
    trace_id,
    job,
    "rank",
    trace,
    cause,
    per_step_ns,
    median_ns,
    excess_ns,
    excess_ns / step_ns AS excess_share,
    CASE WHEN usual_ns > 0 THEN 0.6745 * excess_ns / usual_ns END AS z_score
FROM distances
CROSS JOIN kept.limits AS l
WHERE ranks >= l.compared_ranks AND abs(excess_ns) > l.usual_share * step_ns AND 0.6745 * abs(excess_ns) > 3.5 * usual_ns
ORDER BY abs(excess_share) DESC, job, "rank", trace, cause;

COMMENT ON VIEW outlier_ranks IS 'ranks that are far off the others of their job, farthest first';
COMMENT ON COLUMN outlier_ranks.rank IS 'as in traces';
COMMENT ON COLUMN outlier_ranks.cause IS 'in what it differs: compute, step, or the id of a cause';
COMMENT ON COLUMN outlier_ranks.per_step_ns IS 'its time of a step, ns';
COMMENT ON COLUMN outlier_ranks.median_ns IS 'the median of the job''s ranks, ns';
COMMENT ON COLUMN outlier_ranks.excess_ns IS 'how much more than that; negative where it is less, ns';
COMMENT ON COLUMN outlier_ranks.excess_share IS 'of the median step of the job';
COMMENT ON COLUMN outlier_ranks.z_score IS 'modified z-score; NULL where most of the ranks are the same to the nanosecond';
