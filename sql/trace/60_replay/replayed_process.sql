-- One row: the process that is replayed. It has the most activities; of ranks that do the same, it is that of the first GPU.
-- reads: activity_totals, busyness, gpu_busy
CREATE TABLE replayed_process AS
WITH busiest AS (
    SELECT pid, CAST(sum(activities) AS BIGINT) AS activities
    FROM activity_totals
    GROUP BY pid
    ORDER BY busyness(sum(activities)) DESC, min(gpu), pid
    LIMIT 1
)

SELECT coalesce(max(pid), (SELECT min(last_pid) FROM gpu_busy)) AS pid, max(activities) AS activities
FROM busiest;

COMMENT ON TABLE replayed_process IS 'the process that is replayed: one row';
COMMENT ON COLUMN replayed_process.activities IS 'number of its activities in the window; NULL if there are none';
