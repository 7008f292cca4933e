-- Where the GPU begins to work on each request, in a program that serves: most of what it launches is launched for requests.
-- reads: activities, answered_requests
CREATE TABLE request_marks AS
WITH launched AS (
    SELECT a.pid, a.start_ns, CASE WHEN a.launch_start_ns < r.end_ns THEN r.start_ns END AS request_ns
    FROM (SELECT pid, start_ns, launch_start_ns FROM activities WHERE pid IN (SELECT pid FROM answered_requests)) AS a
    ASOF LEFT JOIN (FROM answered_requests WHERE start_ns < end_ns) AS r ON r.pid = a.pid AND a.launch_start_ns >= r.start_ns
),

serving AS (
    SELECT pid FROM launched GROUP BY pid HAVING count(request_ns) >= 0.5 * count(*)
)

SELECT pid, min(start_ns) AS start_ns
FROM launched
WHERE request_ns IS NOT NULL AND pid IN (FROM serving)
GROUP BY pid, request_ns
ORDER BY start_ns;

COMMENT ON TABLE request_marks IS 'where the GPU begins to work on each request; empty where the program serves none';
COMMENT ON COLUMN request_marks.start_ns IS 'start of the first activity that is launched for it, ns since the session began';
