-- How long each rank moves data, added up.
-- reads: moves
CREATE VIEW moving AS
SELECT rank, CAST(sum(moving_ns) AS BIGINT) AS moving_ns, CAST(sum(exposed_ns) AS BIGINT) AS exposed_ns
FROM moves
GROUP BY rank;

COMMENT ON VIEW moving IS 'data moving between ranks, in the window of the job';
COMMENT ON COLUMN moving.moving_ns IS 'time of its collectives from when all ranks had come, ns';
COMMENT ON COLUMN moving.exposed_ns IS 'of it, time in which nothing computes, ns';
