-- Whether the report holds one rank of a job: its collectives run on no other GPU of it, so that waiting for a late rank and
-- moving data cannot be told apart. One match is enough for several ranks: where the recording begins or ends, some lack one.
-- reads: collectives
CREATE TABLE lone_rank AS
SELECT count(*) > 0 AND count(*) FILTER (peers > 0) = 0 AS is_one FROM collectives;

COMMENT ON TABLE lone_rank IS 'whether the report holds one rank of a job: one row';
COMMENT ON COLUMN lone_rank.is_one IS 'true where collectives run on one GPU of the report only';
