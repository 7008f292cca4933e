-- One row for each segment of code between two launches that take ten times as long to follow each other as these two kernels
-- do as a rule (the median of six and more), and long_wait_ns() at least: the thread lost its core meanwhile.
--
-- Only where ten gaps of the process end with a slow launch that loads nothing. So it is in 2 of 110 traces, of programs that
-- share 16 cores with 80 and with 96 threads, and there 94 % of the code that the GPU waits for is such.
-- reads: activities, core_switches, long_wait_ns, segments, slow_launch_segments
CREATE TABLE delayed_code AS
WITH starved AS (
    SELECT s.pid
    FROM slow_launch_segments AS l
    INNER JOIN segments AS s ON s.segment_id = l.segment_id
    WHERE NOT l.loads_code AND NOT EXISTS (FROM core_switches)
    GROUP BY s.pid
    HAVING count(DISTINCT s.gap_id) >= 10
),

following AS (
    SELECT
        global_tid,
        name_id,
        launch_start_ns,
        lag(name_id) OVER thread AS last_name_id,
        lag(launch_end_ns) OVER thread AS last_launch_end_ns
    FROM activities
    WHERE pid IN (FROM starved)
    WINDOW thread AS (PARTITION BY global_tid ORDER BY launch_start_ns)
),

delayed AS (
    SELECT global_tid, last_launch_end_ns AS start_ns, launch_start_ns AS end_ns
    FROM following
    WINDOW alike AS (PARTITION BY global_tid, last_name_id, name_id)
    QUALIFY
        launch_start_ns - last_launch_end_ns
        >= greatest(long_wait_ns(), 10 * median(launch_start_ns - last_launch_end_ns) OVER alike)
        AND count(*) OVER alike >= 6
)

SELECT s.segment_id
FROM (SELECT * FROM segments WHERE state = 'run') AS s
ASOF INNER JOIN delayed AS d ON d.global_tid = s.on_global_tid AND s.start_ns >= d.start_ns
WHERE 2 * (least(s.end_ns, d.end_ns) - s.start_ns) >= s.end_ns - s.start_ns;

COMMENT ON TABLE delayed_code IS 'segments of code between launches that take far longer than usual, in processes that lack cores';
