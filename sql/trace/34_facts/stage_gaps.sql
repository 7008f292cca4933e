-- The long gaps in which a GPU waits for its turn: its process computes on other GPUs for half of the gap or more, as with a
-- model whose layers lie on several GPUs. While the CPU is late for this GPU, it launches for the others, an activity each
-- millisecond at least: code of another kind is the program's own.
-- reads: activities, covered, gaps, own_work_ns, split_compute, split_gaps
CREATE TABLE stage_gaps AS
WITH beside AS (
    SELECT id AS gap_id
    FROM covered('split_gaps', 'split_compute')
    WHERE covered_ns >= 0.5 * length_ns
),

launched AS (
    SELECT pid, launch_start_ns, count(*) OVER (PARTITION BY pid ORDER BY launch_start_ns) AS activities
    FROM activities
    WHERE launch_start_ns IS NOT NULL AND pid IN (SELECT track FROM split_gaps)
)

SELECT g.gap_id
FROM gaps AS g
INNER JOIN beside AS b ON b.gap_id = g.gap_id
ASOF LEFT JOIN launched AS s ON s.pid = g.pid AND g.start_ns > s.launch_start_ns
ASOF LEFT JOIN launched AS e ON e.pid = g.pid AND g.late_until_ns > e.launch_start_ns
WHERE coalesce(e.activities, 0) - coalesce(s.activities, 0) >= (g.late_until_ns - g.start_ns) // own_work_ns();

COMMENT ON TABLE stage_gaps IS 'long gaps in which a GPU waits while its process computes on others';
