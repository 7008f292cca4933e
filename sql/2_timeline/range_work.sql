-- The ops that were launched between any two times at which an NVTX range or a step begins or ends, added up. Steps and phases
-- are sums of these: looking up the range of each of a million ops takes a quarter of a second, so it is done once.
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
)

SELECT
    t.pid,
    o.gpu,
    t.at_ns,
    any_value(t.until_ns) AS until_ns,
    count(*) FILTER (WHERE o.end_ns > o.start_ns) AS ops,
    CAST(sum(o.end_ns - o.start_ns) AS BIGINT) AS gpu_ns,
    min(o.start_ns) AS first_ns,
    max(o.end_ns) AS last_ns
FROM (SELECT pid, gpu, launch_start_ns, start_ns, end_ns FROM ops WHERE launch_start_ns IS NOT NULL) AS o
ASOF INNER JOIN spans AS t ON t.pid = o.pid AND o.launch_start_ns >= t.at_ns
GROUP BY t.pid, o.gpu, t.at_ns;

COMMENT ON TABLE range_work IS 'what was launched between two changes of NVTX range or step, by process and GPU';
COMMENT ON COLUMN range_work.pid IS 'process id';
COMMENT ON COLUMN range_work.gpu IS 'physical GPU';
COMMENT ON COLUMN range_work.at_ns IS 'CPU time from which on it was launched, ns since the session began';
COMMENT ON COLUMN range_work.until_ns IS 'CPU time before which it was launched, ns; NULL where no range follows';
COMMENT ON COLUMN range_work.ops IS 'number of ops that take time';
COMMENT ON COLUMN range_work.gpu_ns IS 'their lengths added up, ns';
COMMENT ON COLUMN range_work.first_ns IS 'GPU start of the first op, ns';
COMMENT ON COLUMN range_work.last_ns IS 'GPU end of the last op, ns';
