-- The lost time of each request while it was worked on. On each GPU of the process that serves, compute and the lost time of all
-- causes add up to it: what another one's GPU does meanwhile is none of its time.
-- reads: intersect_tiles, request_gpus, request_tiles, request_time, window_segments
CREATE TABLE request_ledger AS
SELECT CAST(p.tile_id AS INTEGER) AS request, s.gpu, s.cause, CAST(sum(p.end_ns - p.start_ns) AS BIGINT) AS lost_ns
FROM intersect_tiles('request_time', 'request_tiles') AS p
INNER JOIN window_segments AS s ON s.segment_id = p.id
SEMI JOIN request_gpus AS g ON g.gpu = s.gpu
WHERE p.tile_id IS NOT NULL
GROUP BY ALL
ORDER BY request, gpu, lost_ns DESC, cause;

COMMENT ON TABLE request_ledger IS 'lost time of each request while it was worked on, by GPU and cause';
COMMENT ON COLUMN request_ledger.request IS 'as in requests';
COMMENT ON COLUMN request_ledger.lost_ns IS 'time lost because of it, ns';
