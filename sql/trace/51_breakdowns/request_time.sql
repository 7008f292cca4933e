-- Segments of all GPUs on one track, to cut them at the requests; none where the program serves nobody.
-- reads: lost_time, request_tiles
CREATE VIEW request_time AS
SELECT *
FROM lost_time
WHERE EXISTS (FROM request_tiles);

COMMENT ON VIEW request_time IS 'segments of all GPUs on one track, where there are requests';
COMMENT ON COLUMN request_time.id IS 'segment_id of segments';
