-- One row for each kind of activity: how many the window has. By these numbers one tells whether two traces are of the same
-- work.
-- reads: activity_totals
CREATE TABLE activity_counts AS
SELECT kind, CAST(sum(activities) AS BIGINT) AS activities
FROM activity_totals
GROUP BY kind
ORDER BY kind;

COMMENT ON TABLE activity_counts IS 'activities of the window by kind, on all GPUs';
COMMENT ON COLUMN activity_counts.kind IS 'as in activities';
