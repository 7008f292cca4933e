-- One row for a program that serves, none for others: how long a request takes, and how busy the server was.
--
-- While at least one request is in work the server is busy. A request that comes then waits for those before it. So with more
-- requests the time for one stays, and the waits between them go: the server is busy all the time when 1 / (busy time a request)
-- of them come per second.
--
-- The window often begins and ends while a request is worked on, which is not in `requests`. So the rates are not of the window,
-- but of the time from the answer before the first request to the last answer.
-- reads: answered_requests, request_tiles, requests, window_regimes
CREATE TABLE request_summary AS
WITH served AS (
    SELECT * FROM requests
    WHERE pid IN (SELECT r.pid FROM requests AS r SEMI JOIN request_tiles AS t ON t.id = r.request)
),

first_and_last AS (
    SELECT r.pid, w.start_ns AS regime_start_ns, min(r.start_ns) AS start_ns, max(r.end_ns) AS end_ns
    FROM served AS r
    INNER JOIN window_regimes AS w ON r.start_ns >= w.start_ns AND r.end_ns <= w.end_ns
    WHERE r.start_ns < r.end_ns
    GROUP BY r.pid, w.start_ns
),

answering AS (
    SELECT sum(f.end_ns - greatest(f.regime_start_ns, a.end_ns)) AS length_ns
    FROM first_and_last AS f
    ASOF LEFT JOIN answered_requests AS a ON a.pid = f.pid AND f.start_ns >= a.end_ns
)

SELECT
    count(*) AS requests,
    CAST(quantile_cont(s.length_ns, 0.5) AS BIGINT) AS median_ns,
    CAST(quantile_cont(s.length_ns, 0.99) AS BIGINT) AS p99_ns,
    CAST(avg(s.length_ns) AS BIGINT) AS mean_ns,
    CAST(avg(s.queued_ns) AS BIGINT) AS queued_ns,
    CAST(avg(s.end_ns - s.start_ns) AS BIGINT) AS busy_ns,
    sum(s.end_ns - s.start_ns) / any_value(a.length_ns) AS busy_share,
    1e9 * count(*) / any_value(a.length_ns) AS per_second,
    1e9 * count(*) / sum(s.end_ns - s.start_ns) AS saturated_per_second,
    (SELECT count(DISTINCT pid) FROM requests) AS processes
FROM served AS s, answering AS a
HAVING count(*) > 0;

COMMENT ON TABLE request_summary IS 'one row where the program serves: how long a request takes, and how busy the process was that answers most';
COMMENT ON COLUMN request_summary.requests IS 'number of its requests in the window';
COMMENT ON COLUMN request_summary.median_ns IS 'half of them took at most this, from arrival to answer, ns';
COMMENT ON COLUMN request_summary.p99_ns IS '99 % of them took at most this, ns';
COMMENT ON COLUMN request_summary.mean_ns IS 'mean time from arrival to answer, ns';
COMMENT ON COLUMN request_summary.queued_ns IS 'of it, mean time in which requests before it were worked on, ns';
COMMENT ON COLUMN request_summary.busy_ns IS 'the rest: how long the server is busy with a request, ns';
COMMENT ON COLUMN request_summary.busy_share IS 'share of that time with at least one request in work, 0 to 1';
COMMENT ON COLUMN request_summary.per_second IS 'requests per second of the time from the answer before the first one to the last answer';
COMMENT ON COLUMN request_summary.saturated_per_second IS 'requests per second from which on it is busy all the time: 1 / busy_ns';
COMMENT ON COLUMN request_summary.processes IS 'number of processes that answer requests; the other columns are of one of them';
