-- One row for each request that a program worked on in the window, where most of what it launches is launched for requests.
-- reads: activities, answered_requests, window_regimes
CREATE TABLE requests AS
WITH worked_on AS (
    SELECT s.*
    FROM answered_requests AS s
    INNER JOIN window_regimes AS w ON s.start_ns >= w.start_ns AND s.end_ns <= w.end_ns
),

-- what a process answers is what it is for where most of its launches are made for it
launched AS (
    SELECT a.pid, count(*) AS activities, count(CASE WHEN a.launch_start_ns < s.end_ns THEN 1 END) AS for_requests
    FROM (
        SELECT l.pid, l.launch_start_ns
        FROM activities AS l
        INNER JOIN window_regimes AS w ON l.launch_start_ns >= w.start_ns AND l.launch_start_ns < w.end_ns
        WHERE l.pid IN (SELECT pid FROM worked_on)
    ) AS a
    ASOF LEFT JOIN (FROM worked_on WHERE start_ns < end_ns) AS s ON s.pid = a.pid AND a.launch_start_ns >= s.start_ns
    GROUP BY a.pid
)

SELECT
    CAST(row_number() OVER (ORDER BY s.end_ns, s.pid) - 1 AS INTEGER) AS request,
    s.pid,
    s.arrived_ns,
    s.start_ns,
    s.end_ns,
    s.end_ns - s.arrived_ns AS length_ns,
    s.start_ns - s.arrived_ns AS queued_ns
FROM worked_on AS s
INNER JOIN launched AS l ON l.pid = s.pid AND l.for_requests >= 0.5 * l.activities
ORDER BY s.end_ns;

COMMENT ON TABLE requests IS 'requests that a program worked on in the window; empty where it serves none';
COMMENT ON COLUMN requests.request IS 'number, from 0, in the order of the answers';
COMMENT ON COLUMN requests.pid IS 'as in answered_requests';
COMMENT ON COLUMN requests.start_ns IS 'as in answered_requests';
COMMENT ON COLUMN requests.end_ns IS 'as in answered_requests';
COMMENT ON COLUMN requests.length_ns IS 'time from its arrival to its answer, ns';
COMMENT ON COLUMN requests.queued_ns IS 'of it, time in which requests before it were worked on, ns';
