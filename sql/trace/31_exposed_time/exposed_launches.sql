-- When each exposed activity was launched, on the track of its process; its start where the trace has no call for it.
-- reads: activities, exposed_time
CREATE VIEW exposed_launches AS
SELECT e.exposed_id AS id, a.pid AS track, coalesce(a.launch_start_ns, e.start_ns) AS at_ns
FROM exposed_time AS e
INNER JOIN activities AS a ON a.activity_id = e.activity_id;

COMMENT ON VIEW exposed_launches IS 'launches of exposed activities';
COMMENT ON COLUMN exposed_launches.id IS 'exposed_id of exposed_time';
COMMENT ON COLUMN exposed_launches.track IS 'process';
COMMENT ON COLUMN exposed_launches.at_ns IS 'CPU start of the launch, or else the GPU start, ns since the session began';
