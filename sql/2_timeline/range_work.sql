-- The ops that were launched between any two times at which an NVTX range or a step begins or ends, added up. Steps and phases
-- are sums of these: looking up the range of each of a million ops takes a quarter of a second, so it is done once, and for
-- cells of time: where nothing begins or ends in one, its ops are looked up together.
CREATE TABLE range_work AS
WITH times AS (
    SELECT pid, start_ns AS at_ns FROM nvtx_states
    UNION
    SELECT pid, end_ns FROM nvtx_states
    UNION
    SELECT pid, start_ns FROM step_ranges
    UNION
    -- what was launched at the very end of a step belongs to it
    SELECT pid, end_ns + 1 FROM step_ranges
),

spans AS (
    SELECT pid, at_ns, lead(at_ns) OVER (PARTITION BY pid ORDER BY at_ns) AS until_ns FROM times
),

-- four to a time, so that most hold none
cells AS (
    SELECT greatest(1, (max(launch_start_ns) - min(launch_start_ns)) // (SELECT 4 * count(*) + 1 FROM times)) AS ns FROM ops
),

turning AS (
    SELECT DISTINCT t.pid, t.at_ns // c.ns AS cell FROM times AS t, cells AS c
),

launched AS (
    SELECT
        o.pid,
        o.gpu,
        min(o.launch_start_ns) AS at_ns,
        count(*) FILTER (WHERE o.end_ns > o.start_ns) AS ops,
        sum(o.end_ns - o.start_ns) AS gpu_ns,
        min(o.start_ns) AS first_ns,
        max(o.end_ns) AS last_ns
    FROM ops AS o
    CROSS JOIN cells AS c
    LEFT JOIN turning AS t ON t.pid = o.pid AND t.cell = o.launch_start_ns // c.ns
    WHERE o.launch_start_ns IS NOT NULL
    GROUP BY
        o.pid, o.gpu, o.launch_start_ns // c.ns,
        CASE WHEN t.cell IS NOT NULL THEN o.launch_start_ns END
)

SELECT
    t.pid,
    l.gpu,
    t.at_ns,
    any_value(t.until_ns) AS until_ns,
    CAST(sum(l.ops) AS BIGINT) AS ops,
    CAST(sum(l.gpu_ns) AS BIGINT) AS gpu_ns,
    min(l.first_ns) AS first_ns,
    max(l.last_ns) AS last_ns
FROM launched AS l
ASOF INNER JOIN spans AS t ON t.pid = l.pid AND l.at_ns >= t.at_ns
GROUP BY t.pid, l.gpu, t.at_ns;

COMMENT ON TABLE range_work IS 'what was launched between two changes of NVTX range or step, by process and GPU';
COMMENT ON COLUMN range_work.pid IS 'process id';
COMMENT ON COLUMN range_work.gpu IS 'physical GPU';
COMMENT ON COLUMN range_work.at_ns IS 'CPU time from which on it was launched, ns since the session began';
COMMENT ON COLUMN range_work.until_ns IS 'CPU time before which it was launched, ns; NULL where no range follows';
COMMENT ON COLUMN range_work.ops IS 'number of ops that take time';
COMMENT ON COLUMN range_work.gpu_ns IS 'their lengths added up, ns';
COMMENT ON COLUMN range_work.first_ns IS 'GPU start of the first op, ns';
COMMENT ON COLUMN range_work.last_ns IS 'GPU end of the last op, ns';
