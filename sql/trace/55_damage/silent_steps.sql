-- One row if steps by NVTX go on after the last CUDA call of their process: two or more, where at least nine in ten of the steps
-- before call CUDA. The rows of CUDA from there on are gone.
-- reads: calls, partly_read, step_ranges
CREATE TABLE silent_steps AS
WITH called AS (
    SELECT r.pid, r.start_ns, c.start_ns IS NOT NULL AND c.start_ns <= r.end_ns AS calls, l.last_ns
    FROM step_ranges AS r
    INNER JOIN (SELECT pid, max(start_ns) AS last_ns FROM calls GROUP BY pid) AS l ON l.pid = r.pid
    ASOF LEFT JOIN (SELECT pid, start_ns FROM calls) AS c ON c.pid = r.pid AND r.start_ns <= c.start_ns
    WHERE NOT EXISTS (FROM partly_read)
)

SELECT
    'steps by NVTX after the last CUDA call' AS kind,
    count(CASE WHEN start_ns > last_ns THEN 1 END) AS "rows",
    count(*) AS all_rows
FROM called
HAVING
    count(CASE WHEN start_ns > last_ns THEN 1 END) >= 2
    AND count(CASE WHEN calls THEN 1 END) >= 0.9 * count(CASE WHEN start_ns <= last_ns THEN 1 END);

COMMENT ON TABLE silent_steps IS 'how many steps are left after the last CUDA call, where that is damage';
COMMENT ON COLUMN silent_steps.kind IS 'the rows, in words';
