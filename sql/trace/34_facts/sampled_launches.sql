-- One row for each short segment of launches whose nearest Python sample speaks for a cause, as the one before or after that
-- sample does. A loader that indexes arrays on the GPU, for example, launches a kernel every 0.1 ms, and samples are 1 ms apart.
-- One sample alone may be of something brief.
-- reads: own_work_ns, sample_matches, segments
CREATE TABLE sampled_launches AS
WITH samples AS (
    SELECT
        global_tid,
        at_ns,
        cause,
        lag(at_ns) OVER thread AS last_ns,
        lead(at_ns) OVER thread AS next_ns,
        cause IN (lag(cause) OVER thread, lead(cause) OVER thread) AS agrees
    FROM sample_matches
    WHERE kind = 'python'
    WINDOW thread AS (PARTITION BY global_tid ORDER BY at_ns)
),

usual AS (
    SELECT median(next_ns - at_ns) AS distance_ns FROM samples
),

-- a sample stands for the time that is nearest to it, at most for the usual distance to each side
spans AS (
    SELECT
        s.global_tid,
        s.cause,
        greatest((s.last_ns + s.at_ns) / 2, s.at_ns - u.distance_ns) AS from_ns,
        least((s.at_ns + s.next_ns) / 2, s.at_ns + u.distance_ns) AS until_ns
    FROM samples AS s, usual AS u
    WHERE s.agrees
)

SELECT l.segment_id, s.cause
FROM (
    SELECT *, (start_ns + end_ns) / 2 AS middle_ns FROM segments WHERE state = 'launch' AND end_ns - start_ns < own_work_ns()
) AS l
ASOF INNER JOIN spans AS s ON s.global_tid = l.on_global_tid AND l.middle_ns >= s.from_ns
WHERE l.middle_ns < s.until_ns;

COMMENT ON TABLE sampled_launches IS 'short segments of launches whose nearest Python samples speak for a cause';
COMMENT ON COLUMN sampled_launches.cause IS 'the cause of the samples';
