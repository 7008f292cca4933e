-- The time in which each request was worked on, as tiles of one track: a request begins where those before it were
-- answered. One that is answered before them has no tile. Where several processes serve, those of the one that answers most.
-- reads: requests
CREATE TABLE request_tiles AS
SELECT request AS id, 0 AS track, start_ns, end_ns
FROM requests
WHERE start_ns < end_ns AND pid = (SELECT mode(pid ORDER BY pid) FROM requests);

COMMENT ON TABLE request_tiles IS 'the work on requests as tiles of one track';
COMMENT ON COLUMN request_tiles.id IS 'request of requests';
COMMENT ON COLUMN request_tiles.track IS '0';
