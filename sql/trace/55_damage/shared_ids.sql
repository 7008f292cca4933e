-- One row for each kind of event of which several rows have the correlation id of one. A call that submits something has its id
-- for itself; only when the profiler ends do ids come again. The launch of a kernel submits one activity; a CUDA graph submits
-- many, and none of them twice. Other calls may copy several times.
-- reads: call_families, calls, recorded_activities
CREATE TABLE shared_ids AS
WITH launched AS (
    SELECT pid, correlation_id, count(*) AS times
    FROM recorded_activities
    WHERE correlation_id > 0
    GROUP BY pid, correlation_id
    HAVING count(*) > 1
),

distinct_ones AS (
    SELECT pid, correlation_id, count(*) AS times
    FROM (
        SELECT DISTINCT pid, correlation_id, gpu, stream, name_id, start_ns, end_ns
        FROM recorded_activities
        WHERE (pid, correlation_id) IN (SELECT (pid, correlation_id) FROM launched)
    )
    GROUP BY pid, correlation_id
),

kernel_launches AS (
    SELECT pid, correlation_id
    FROM calls
    WHERE
        (pid, correlation_id) IN (SELECT (pid, correlation_id) FROM launched)
        AND name_id IN (SELECT string_id FROM call_families WHERE regexp_matches(name, '^cu(da)?LaunchKernel'))
),

counted AS (
    SELECT
        'GPU activities' AS kind,
        sum(CASE WHEN (l.pid, l.correlation_id) IN (FROM kernel_launches) THEN l.times - 1 ELSE l.times - d.times END) AS "rows"
    FROM launched AS l
    INNER JOIN distinct_ones AS d ON d.pid = l.pid AND d.correlation_id = l.correlation_id
    UNION ALL
    SELECT 'CUDA calls', sum(times - 1)
    FROM (
        SELECT count(*) AS times
        FROM calls
        WHERE correlation_id > 0 AND family IN ('launch', 'copy')
        GROUP BY pid, correlation_id
        HAVING count(*) > 1
    )
)

SELECT kind, CAST("rows" AS BIGINT) AS "rows" FROM counted WHERE "rows" > 0;

COMMENT ON TABLE shared_ids IS 'events that have the correlation id of another one; empty for a sound trace';
COMMENT ON COLUMN shared_ids.kind IS 'GPU activities or CUDA calls';
COMMENT ON COLUMN shared_ids."rows" IS 'number of them, without the one for each id that may have it';
