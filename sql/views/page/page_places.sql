-- One row for each of the 30 longest gaps, and exposed and interrupted activities, of each step of the window, numbered from the
-- longest: this is the gap=3 of a link. It says what ran before and after, and which thread launched that.
-- reads: trace.activities, trace.activity_names, trace.gaps, trace.page_losses, trace.thread_names, trace.window_activities
-- reads: trace.window_segments
CREATE VIEW page_places AS
WITH numbered AS (
    SELECT
        l.step,
        l.number,
        l.gpu,
        coalesce(l.gap_id, l.activity_id) AS place_id,
        l.gap_id IS NOT NULL AS is_gap,
        g.start_ns AS gap_start_ns,
        g.end_ns AS gap_end_ns,
        l.start_ns,
        l.end_ns,
        l.lost_ns,
        arg_max(s.cause, least(s.end_ns, l.end_ns) - greatest(s.start_ns, l.start_ns)) AS cause
    FROM trace.page_losses AS l
    INNER JOIN trace.window_segments AS s
        ON s.gap_id IS NOT DISTINCT FROM l.gap_id AND s.activity_id IS NOT DISTINCT FROM l.activity_id
    LEFT JOIN trace.gaps AS g ON g.gap_id = l.gap_id
    WHERE s.start_ns < l.end_ns AND s.end_ns > l.start_ns
    GROUP BY ALL
),

before AS (
    SELECT o.gpu, o.end_ns, min(o.activity_id) AS activity_id
    FROM trace.window_activities AS o
    SEMI JOIN numbered AS p ON p.gpu = o.gpu AND p.gap_start_ns = o.end_ns
    GROUP BY o.gpu, o.end_ns
)

SELECT
    p.step,
    p.number,
    p.gpu,
    p.start_ns,
    p.end_ns,
    p.lost_ns,
    p.cause,
    p.is_gap,
    p.gap_start_ns,
    p.gap_end_ns,
    b.name AS before,
    a.name AS after,
    t.thread,
    x.launch_start_ns
FROM numbered AS p
LEFT JOIN before AS o ON o.gpu = p.gpu AND o.end_ns = p.gap_start_ns
LEFT JOIN trace.activity_names AS b ON b.activity_id = o.activity_id
LEFT JOIN trace.activity_names AS a ON a.activity_id = p.place_id
LEFT JOIN trace.activities AS x ON x.activity_id = p.place_id
LEFT JOIN trace.thread_names AS t ON t.global_tid = x.global_tid
ORDER BY p.step, p.number;

COMMENT ON VIEW page_places IS 'the longest gaps, and exposed and interrupted activities, of each step';
COMMENT ON COLUMN page_places.step IS 'as in page_steps';
COMMENT ON COLUMN page_places.start_ns IS 'start inside the step, ns since the session began';
COMMENT ON COLUMN page_places.end_ns IS 'end inside the step, ns';
COMMENT ON COLUMN page_places.cause IS 'cause of the longest segment';
COMMENT ON COLUMN page_places.is_gap IS 'true for a gap, false for an activity';
COMMENT ON COLUMN page_places.gap_start_ns IS 'start of the gap, which may lie in the step before, ns; NULL for an activity';
COMMENT ON COLUMN page_places.gap_end_ns IS 'its end, which may lie in the next step, ns';
COMMENT ON COLUMN page_places.before IS 'the activity that ended as the gap began';
COMMENT ON COLUMN page_places.after IS 'the activity that ends it, or the exposed or interrupted one';
COMMENT ON COLUMN page_places.thread IS 'name of the launching thread of that activity, and in brackets its thread id';
COMMENT ON COLUMN page_places.launch_start_ns IS 'CPU start of the call that launched it, ns';
