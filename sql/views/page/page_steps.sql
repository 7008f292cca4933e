-- One row for each step of the window: whether a report shows it on a timeline, and how finely, so that the page stays small.
-- First come the longest step, the median one, and for each cause the step with the most of it; then the others, longest first.
-- Each is shown in full as long as all of them together have no more than 40,000 boxes, which are about 1 MB. In the next ones,
-- boxes shorter than a pixel are merged, as long as these have no more than 30,000. The rest has no timeline.
-- reads: trace.gil_ranges, trace.lost_segments, trace.nvtx_ranges, trace.thread_states, window, trace.window_activities
-- reads: trace.window_steps
CREATE VIEW page_steps AS
WITH spans AS (
    SELECT step, start_ns, end_ns FROM trace.window_steps
    UNION ALL
    -- where there are no steps, the window is shown as one
    SELECT 0, start_ns, end_ns FROM trace."window" WHERE NOT EXISTS (FROM trace.window_steps)
),

-- an activity has three boxes: itself, its launch, and the lost time before it
work AS (
    SELECT start_ns, 3 AS boxes FROM trace.window_activities
    UNION ALL
    SELECT start_ns, 1 FROM trace.thread_states WHERE state <> 'run'
    UNION ALL
    SELECT start_ns, 1 FROM trace.nvtx_ranges
    UNION ALL
    SELECT start_ns, 1 FROM trace.gil_ranges
),

boxes AS (
    SELECT n.step, sum(w.boxes) AS boxes
    FROM work AS w
    ASOF INNER JOIN spans AS n ON w.start_ns >= n.start_ns
    GROUP BY n.step
),

sized AS (
    SELECT n.step, n.start_ns, n.end_ns, n.end_ns - n.start_ns AS length_ns, coalesce(b.boxes, 0) AS boxes
    FROM spans AS n
    LEFT JOIN boxes AS b ON b.step = n.step
),

turns AS (
    SELECT max_by(step, length_ns) AS step, 0 AS turn FROM sized
    UNION ALL
    SELECT step, 1
    FROM (SELECT step, row_number() OVER (ORDER BY length_ns, step) AS place, count(*) OVER () AS steps FROM sized)
    WHERE place = (steps + 1) // 2
    UNION ALL
    SELECT max_by(step, lost_ns), 2
    FROM (
        SELECT n.step, s.cause, sum(s.end_ns - s.start_ns) AS lost_ns
        FROM trace.lost_segments AS s
        ASOF INNER JOIN spans AS n ON s.start_ns >= n.start_ns
        GROUP BY n.step, s.cause
    )
    GROUP BY cause
    UNION ALL
    SELECT step, 3 FROM sized
),

ranked AS (
    SELECT
        n.*,
        t.turn,
        sum(n.boxes) OVER (ORDER BY t.turn, n.length_ns DESC, n.step) AS boxes_so_far
    FROM sized AS n
    INNER JOIN (SELECT step, min(turn) AS turn FROM turns GROUP BY step) AS t ON t.step = n.step
),

merged AS (
    SELECT
        *,
        boxes_so_far <= 40000 AS whole,
        count(*) FILTER (WHERE boxes_so_far > 40000) OVER () AS others,
        -- a lane has at most 300 merged boxes, and about as many longer ones; six lanes are usual
        sum(CASE WHEN boxes_so_far > 40000 THEN least(boxes, 2000) END)
            OVER (ORDER BY turn, length_ns DESC, step) AS merged_so_far
    FROM ranked
)

SELECT
    step,
    start_ns,
    end_ns,
    CAST(CASE
        WHEN whole THEN 0
        -- the width of the timeline in pixels, or eight times as many where there is but one step to look at
        WHEN others = 1 THEN length_ns // 9600
        WHEN merged_so_far <= 30000 THEN length_ns // 1200
    END AS BIGINT) AS resolution_ns
FROM merged
ORDER BY step;

COMMENT ON VIEW page_steps IS 'the steps of the window, and how finely a report shows each';
COMMENT ON COLUMN page_steps.step IS 'number, as in steps; 0 for the window where there are none';
COMMENT ON COLUMN page_steps.start_ns IS 'start inside the window, ns since the session began';
COMMENT ON COLUMN page_steps.end_ns IS 'end inside the window, ns';
COMMENT ON COLUMN page_steps.resolution_ns IS 'boxes shorter than this that lie close together are drawn as one, ns; 0 where all are drawn, NULL where the step is not shown';
