-- One row for each section of the analysed time: a step, what lies between steps, or a 64th of a trace that has few steps.
-- A page draws every box of the most important ones, as many as it has room for; the others only as levels of detail.
-- First come the longest step, the median one, and for each cause the step with the most of it; then the other steps of the
-- window, longest first; then the rest.
-- reads: trace.analysed_time, trace.page_steps, trace.regimes, trace.steps, trace.window_segments
CREATE VIEW page_sections AS
WITH cuts AS (
    SELECT start_ns FROM trace.steps
    UNION
    SELECT start_ns FROM trace.regimes
    UNION
    SELECT start_ns FROM trace.page_steps
    UNION
    SELECT end_ns FROM trace.page_steps
    UNION
    SELECT start_ns + (end_ns - start_ns) * n // 64
    FROM trace.analysed_time, range(64) AS parts (n)
    WHERE (SELECT count(*) FROM trace.steps) < 16
),

sections AS (
    SELECT c.start_ns, coalesce(lead(c.start_ns) OVER (ORDER BY c.start_ns), a.end_ns) AS end_ns
    FROM cuts AS c, trace.analysed_time AS a
    WHERE c.start_ns >= a.start_ns AND c.start_ns < a.end_ns
),

turns AS (
    SELECT max_by(start_ns, end_ns - start_ns) AS start_ns, 0 AS turn FROM trace.page_steps
    UNION ALL
    SELECT start_ns, 1
    FROM (
        SELECT start_ns, row_number() OVER (ORDER BY end_ns - start_ns, step) AS place, count(*) OVER () AS steps
        FROM trace.page_steps
    )
    WHERE place = (steps + 1) // 2
    UNION ALL
    SELECT max_by(start_ns, lost_ns), 2
    FROM (
        SELECT n.start_ns, s.cause, sum(s.end_ns - s.start_ns) AS lost_ns
        FROM trace.window_segments AS s
        ASOF INNER JOIN trace.page_steps AS n ON s.start_ns >= n.start_ns
        GROUP BY n.start_ns, s.cause
    )
    GROUP BY cause
    UNION ALL
    SELECT start_ns, 3 FROM trace.page_steps
)

SELECT s.start_ns, s.end_ns, coalesce(min(t.turn), 4) AS turn
FROM sections AS s
LEFT JOIN turns AS t ON t.start_ns = s.start_ns
GROUP BY s.start_ns, s.end_ns;

COMMENT ON VIEW page_sections IS 'the analysed time in sections, and which of them a page draws in full first';
COMMENT ON COLUMN page_sections.turn IS 'how soon a page draws it in full: 0 first; of one turn the longest first';
