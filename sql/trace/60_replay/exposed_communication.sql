-- Exposed communication that moves data, without the time in which it waits for late ranks.
-- reads: collectives, segments
CREATE TABLE exposed_communication AS
SELECT s.pid, s.gpu, s.start_ns, s.end_ns
FROM segments AS s
INNER JOIN collectives AS c ON c.activity_id = s.activity_id
WHERE s.state = 'communication' AND s.end_ns > c.all_arrived_ns;

COMMENT ON TABLE exposed_communication IS 'exposed communication that moves data';
