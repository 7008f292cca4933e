-- One row for each GPU that runs fewer than five activities in the window, while another one runs twenty times as many: all that
-- is said of it comes from these few rows, and they may be on this GPU by damage alone.
-- reads: window_activities
CREATE TABLE lone_gpus AS
WITH totals AS (
    SELECT gpu, count(*) AS activities FROM window_activities GROUP BY gpu
)

SELECT gpu, activities
FROM totals
WHERE activities < 5 AND 20 * activities <= (SELECT max(activities) FROM totals);

COMMENT ON TABLE lone_gpus IS 'GPUs of which few rows speak';
COMMENT ON COLUMN lone_gpus.activities IS 'number of its activities in the window';
