-- One row for each kind of migration that contradicts itself or other rows. Pages have 4,096 bytes or more. What a GPU faults on
-- moves to it while something runs there: in 7 sound traces all 1.3 million such migrations do. Checked from the first to the
-- last activity of the GPU, since others may not be recorded. Pages that move because the program asked for it need a call that
-- asks: checked where the process makes its memory in the trace, since before it might have asked unseen. Where both the CPU and
-- a GPU fault often, some pages have to move.
-- reads: calls, clock_tolerance_ns, copies, graph_launches, kernels, migrations, recorded_faults, strings
CREATE TABLE contradictory_migrations AS
WITH running AS (
    SELECT gpu, start_ns, max(end_ns) OVER (PARTITION BY gpu ORDER BY start_ns) AS until_ns
    FROM (
        SELECT gpu, start_ns, end_ns FROM kernels
        UNION ALL
        SELECT gpu, start_ns, end_ns FROM graph_launches
        UNION ALL
        SELECT gpu, start_ns, end_ns FROM copies WHERE NOT starts_with(direction, 'Unified ')
    )
    WHERE EXISTS (FROM migrations)
),

used AS (
    SELECT gpu, min(start_ns) AS from_ns, max(until_ns) AS until_ns FROM running GROUP BY gpu
),

faulted AS (
    SELECT m.gpu, m.start_ns, m.end_ns
    FROM migrations AS m
    INNER JOIN used AS u ON u.gpu = m.gpu AND m.end_ns > u.from_ns AND m.start_ns < u.until_ns
    WHERE m.by_touch AND NOT m.to_host
),

calling_processes AS (
    SELECT
        c.pid,
        min(CASE WHEN s.text LIKE '%Managed%' THEN c.start_ns END) AS makes_memory_ns,
        bool_or(regexp_matches(s.text, 'Prefetch|Attach|Advise|Memcpy|Memset')) AS can_ask
    FROM calls AS c
    INNER JOIN strings AS s ON s.string_id = c.name_id
    WHERE EXISTS (FROM migrations)
    GROUP BY c.pid
),

faulting_processes AS (
    SELECT pid, count(*) AS faults, count(*) FILTER (gpu IS NULL) AS cpu_faults, count(gpu) AS gpu_faults
    FROM recorded_faults
    GROUP BY pid
)

SELECT
    'migrations to a GPU on which nothing runs' AS kind,
    count(*) FILTER (r.until_ns + clock_tolerance_ns() <= f.start_ns) AS "rows",
    count(*) AS all_rows
FROM faulted AS f
ASOF INNER JOIN running AS r ON r.gpu = f.gpu AND f.end_ns + clock_tolerance_ns() > r.start_ns
UNION ALL
SELECT 'migrations that no call asked for', count(*) FILTER (m.start_ns > p.makes_memory_ns AND NOT p.can_ask), count(*)
FROM migrations AS m
INNER JOIN calling_processes AS p ON p.pid = m.pid
WHERE m.by_prefetch
UNION ALL
SELECT 'migrations that a call launched', count(*) FILTER (correlation_id > 0), count(*)
FROM copies
WHERE starts_with(direction, 'Unified ')
UNION ALL
SELECT 'migrations of less than a page', count(*) FILTER (bytes < 4096), count(*) FROM migrations
UNION ALL
SELECT 'page faults of processes whose pages never move', coalesce(sum(faults), 0), (SELECT count(*) FROM recorded_faults)
FROM faulting_processes
WHERE least(cpu_faults, gpu_faults) >= 100 AND pid NOT IN (SELECT pid FROM migrations);

COMMENT ON TABLE contradictory_migrations IS 'kinds of migrations that contradict other rows, and how many there are';
COMMENT ON COLUMN contradictory_migrations.kind IS 'the rows, in words';
