-- Streams whose number only one GPU of the process uses: a synchronize call names the stream that it waits for, not the GPU.
-- reads: recorded_activities
CREATE TABLE lone_streams AS
SELECT pid, stream
FROM recorded_activities
GROUP BY pid, stream
HAVING count(DISTINCT gpu) = 1;

COMMENT ON TABLE lone_streams IS 'streams that a process has on one GPU alone';
