-- When each exposed activity is exposed, on the track of its process.
-- reads: activities, exposed_time
CREATE VIEW exposed_starts AS
SELECT e.exposed_id AS id, a.pid AS track, e.start_ns AS at_ns
FROM exposed_time AS e
INNER JOIN activities AS a ON a.activity_id = e.activity_id;

COMMENT ON VIEW exposed_starts IS 'starts of exposed time, on the process that launched the activity';
COMMENT ON COLUMN exposed_starts.id IS 'exposed_id of exposed_time';
COMMENT ON COLUMN exposed_starts.track IS 'process';
COMMENT ON COLUMN exposed_starts.at_ns IS 'start, ns since the session began';
