-- One row for each of the gaps and exposed activities of each step in which most time was lost. There may be a million to
-- choose from, so what page_places says of them is looked up only there.
-- reads: trace.page_steps, trace.places_of_a_step, trace.window_segments
CREATE TABLE page_losses AS
WITH pieces AS (
    SELECT n.step, s.gpu, s.gap_id, s.activity_id, s.start_ns, least(s.end_ns, n.end_ns) AS end_ns
    FROM trace.window_segments AS s
    ASOF INNER JOIN trace.page_steps AS n ON s.start_ns >= n.start_ns
    WHERE s.start_ns < n.end_ns
    UNION ALL
    -- those that go on from the step before: at most one on each GPU, since segments do not overlap
    SELECT n.step, s.gpu, s.gap_id, s.activity_id, n.start_ns, least(s.end_ns, n.end_ns)
    FROM trace.page_steps AS n
    CROSS JOIN (SELECT DISTINCT gpu FROM trace.window_segments) AS g
    ASOF INNER JOIN trace.window_segments AS s ON s.gpu = g.gpu AND n.start_ns > s.start_ns
    WHERE s.end_ns > n.start_ns
),

losses AS (
    SELECT
        step,
        any_value(gpu) AS gpu,
        gap_id,
        activity_id,
        min(start_ns) AS start_ns,
        max(end_ns) AS end_ns,
        CAST(sum(end_ns - start_ns) AS BIGINT) AS lost_ns
    FROM pieces
    GROUP BY step, gap_id, activity_id
),

least_shown AS (
    SELECT step, list_min(max(lost_ns, trace.places_of_a_step())) AS lost_ns FROM losses GROUP BY step
)

SELECT
    s.*,
    row_number() OVER (
        PARTITION BY s.step ORDER BY s.lost_ns DESC, s.start_ns, s.gpu, s.gap_id, s.activity_id
    ) AS number
FROM losses AS s
INNER JOIN least_shown AS l ON l.step = s.step AND l.lost_ns <= s.lost_ns
QUALIFY number <= trace.places_of_a_step();

COMMENT ON TABLE page_losses IS 'the gaps and exposed activities in which a step lost most time';
COMMENT ON COLUMN page_losses.step IS 'as in page_steps';
COMMENT ON COLUMN page_losses.gap_id IS 'as in segments';
COMMENT ON COLUMN page_losses.activity_id IS 'as in segments';
COMMENT ON COLUMN page_losses.start_ns IS 'start inside the step, ns since the session began';
COMMENT ON COLUMN page_losses.end_ns IS 'end inside the step, ns';
COMMENT ON COLUMN page_losses.lost_ns IS 'time lost there, ns';
COMMENT ON COLUMN page_losses.number IS 'number in the step, from 1 for the longest';
