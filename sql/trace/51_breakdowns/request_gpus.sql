-- One row for each GPU on which the process works whose requests are told.
-- reads: request_tiles, requests, window_activities
CREATE TABLE request_gpus AS
SELECT DISTINCT gpu
FROM window_activities
WHERE pid IN (SELECT r.pid FROM requests AS r SEMI JOIN request_tiles AS t ON t.id = r.request);

COMMENT ON TABLE request_gpus IS 'the GPUs of the process whose requests are told; empty where the program serves nobody';
