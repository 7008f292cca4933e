-- One row for each NVTX range that is a step: those of the name that was asked for (options.step_name), else of the outermost
-- name that repeats. A range that always lies inside another repeating one is a phase, not a step. Of several names, those
-- count that repeat as often as the one that covers the most time, give or take one; of these the one that comes first.
-- reads: activities, nvtx_events, nvtx_paths, options
CREATE TABLE step_ranges AS
WITH named AS (
    SELECT
        e.track AS pid,
        e.name,
        e.start_ns,
        e.end_ns,
        p.path,
        count(*) OVER (PARTITION BY e.track, e.name) AS times
    FROM nvtx_events AS e
    INNER JOIN nvtx_paths AS p ON p.range_id = e.id
),

repeating AS (
    SELECT DISTINCT pid, name FROM named WHERE times >= 3
),

activities_of AS (
    SELECT pid, count(*) AS activities, min(gpu) AS gpu FROM activities GROUP BY pid
),

candidates AS (
    SELECT
        n.pid,
        n.name,
        any_value(n.times) AS times,
        sum(n.end_ns - n.start_ns) AS covered_ns,
        min(n.start_ns) AS first_ns,
        max(a.activities) AS activities,
        min(a.gpu) AS gpu
    FROM named AS n
    INNER JOIN activities_of AS a ON a.pid = n.pid
    WHERE
        CASE
            WHEN (SELECT step_name FROM options) IS NOT NULL THEN n.name = (SELECT step_name FROM options)
            ELSE n.times >= 3 AND NOT EXISTS (
                SELECT 1 FROM repeating AS outer_range
                WHERE
                    outer_range.pid = n.pid AND outer_range.name <> n.name
                    AND contains(' > ' || n.path, ' > ' || outer_range.name || ' > ')
            )
        END
    GROUP BY n.pid, n.name
),

-- the process with the most activities decides; of ranks that do the same, that of the first GPU
leader AS (
    SELECT pid FROM candidates ORDER BY round(log2(activities + 1)) DESC, gpu, pid LIMIT 1
),

widest AS (
    SELECT max_by(times, covered_ns) AS times FROM candidates WHERE pid IN (FROM leader)
),

chosen AS (
    SELECT c.pid, c.name
    FROM candidates AS c, widest AS w
    WHERE c.pid IN (FROM leader) AND c.times BETWEEN w.times - 1 AND w.times + 1
    ORDER BY c.first_ns, c.covered_ns DESC
    LIMIT 1
)

SELECT n.pid, n.name, n.start_ns, n.end_ns
FROM named AS n
INNER JOIN chosen AS c ON c.pid = n.pid AND c.name = n.name
ORDER BY n.start_ns;

COMMENT ON TABLE step_ranges IS 'the NVTX ranges that mark steps; empty where no range repeats';
COMMENT ON COLUMN step_ranges.pid IS 'process whose loop it is';
COMMENT ON COLUMN step_ranges.name IS 'name of the range';
COMMENT ON COLUMN step_ranges.start_ns IS 'CPU start, ns since the session began';
COMMENT ON COLUMN step_ranges.end_ns IS 'CPU end, ns';
