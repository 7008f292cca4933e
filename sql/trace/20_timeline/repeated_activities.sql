-- One row for each activity that was recorded again: of the same launch, on the same stream, at the same times. A page of the
-- export stands where another one was. Migrations have no launch.
-- reads: recorded_activities
CREATE TABLE repeated_activities AS
SELECT pid, correlation_id, start_ns, count(*) - 1 AS "rows"
FROM recorded_activities
WHERE correlation_id > 0
GROUP BY pid, gpu, stream, correlation_id, name_id, start_ns, end_ns
HAVING count(*) > 1;

COMMENT ON TABLE repeated_activities IS 'activities that were recorded again; empty for a sound trace';
COMMENT ON COLUMN repeated_activities.pid IS 'process that launched it';
COMMENT ON COLUMN repeated_activities.correlation_id IS 'as in recorded_activities';
COMMENT ON COLUMN repeated_activities.start_ns IS 'GPU start, ns since the session began';
COMMENT ON COLUMN repeated_activities."rows" IS 'how often it was recorded again';
