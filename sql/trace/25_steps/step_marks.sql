-- Where each iteration begins, for programs that have no NVTX range for a step: where an optimizer says so, else the period of
-- the launch sequence.
--
-- Requests that overlap break the period of a request, but not that of a layer. So a program that serves begins a step with each
-- request where there are fewer periods, or more of which less than half end with a read-back, as each token does.
-- reads: activities, judged_parts, launch_periods, optimizer_marks, read_backs, request_marks
CREATE TABLE step_marks AS
WITH counted AS (
    SELECT r.periods, count(q.start_ns) AS requests, count_if(q.start_ns >= r.from_ns) AS requests_since
    FROM (SELECT count(*) AS periods, min(start_ns) AS from_ns FROM launch_periods) AS r
    LEFT JOIN request_marks AS q ON true
    GROUP BY r.periods
),

asked AS (
    SELECT c.periods
    FROM counted AS c
    CROSS JOIN (
        SELECT count(*) AS activities FROM read_backs INNER JOIN activities USING (activity_id)
        WHERE start_ns >= (SELECT min(start_ns) FROM launch_periods)
    ) AS r
    WHERE
        c.requests >= 3
        AND (c.requests > 1.2 * c.periods OR (c.periods > 1.2 * c.requests_since AND r.activities < 0.5 * c.periods))
        AND (SELECT any_value(end_place) FROM judged_parts) > 1 -- else ranges or an optimizer mark the steps
)

SELECT pid, start_ns, 'launches' AS source, name FROM launch_periods WHERE NOT EXISTS (FROM asked)
UNION ALL
SELECT pid, start_ns, 'requests', NULL FROM request_marks WHERE EXISTS (FROM asked)
UNION ALL
SELECT pid, start_ns, 'optimizer', name FROM optimizer_marks
ORDER BY start_ns;

COMMENT ON TABLE step_marks IS 'where the launch sequence begins again; empty where NVTX ranges mark the steps, or nothing repeats';
COMMENT ON COLUMN step_marks.pid IS 'process whose loop it is';
COMMENT ON COLUMN step_marks.start_ns IS 'GPU start of the marking activity, ns since the session began';
COMMENT ON COLUMN step_marks.source IS 'what marks the step: launches, requests or optimizer';
COMMENT ON COLUMN step_marks.name IS 'id of the name of the marking kernel or call, or graph and which, or the direction of a copy; NULL where a request begins';
