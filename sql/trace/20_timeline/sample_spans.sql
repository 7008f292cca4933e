-- Python samples as time: a sample stands for its thread's time until the next one, at most for twice the usual distance between
-- two samples; the last sample of a thread for as long. A thread that was not sampled for longer was not seen.
-- reads: python_samples
CREATE VIEW sample_spans AS
WITH spaced AS (
    SELECT *, lead(at_ns) OVER (PARTITION BY global_tid ORDER BY at_ns) AS next_ns FROM python_samples
),

usual AS (
    SELECT median(next_ns - at_ns) AS distance_ns FROM spaced
)

SELECT
    s.sample_id,
    s.global_tid,
    s.at_ns AS start_ns,
    CAST(least(coalesce(s.next_ns, s.at_ns + 2 * u.distance_ns), s.at_ns + 2 * u.distance_ns) AS BIGINT) AS end_ns,
    CAST(u.distance_ns AS BIGINT) AS usual_ns,
    s.file,
    s.line,
    s.function
FROM spaced AS s, usual AS u
WHERE coalesce(s.next_ns > s.at_ns, true);

COMMENT ON VIEW sample_spans IS 'the time for which each Python sample stands';
COMMENT ON COLUMN sample_spans.sample_id IS 'as in python_samples';
COMMENT ON COLUMN sample_spans.global_tid IS 'thread, in threads';
COMMENT ON COLUMN sample_spans.start_ns IS 'time of the sample, ns since the session began';
COMMENT ON COLUMN sample_spans.end_ns IS 'until when it stands for its thread, ns';
COMMENT ON COLUMN sample_spans.usual_ns IS 'the usual distance between two samples, ns';
COMMENT ON COLUMN sample_spans.file IS 'as in python_samples';
COMMENT ON COLUMN sample_spans.line IS 'as in python_samples';
COMMENT ON COLUMN sample_spans.function IS 'as in python_samples';
