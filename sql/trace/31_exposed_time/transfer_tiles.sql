-- Communication and copies flattened: at each instant one of those that run, communication before copies.
-- reads: flatten, transfers
CREATE TABLE transfer_tiles AS
SELECT CAST(id AS INTEGER) AS id, CAST(track AS INTEGER) AS track, start_ns, end_ns
FROM flatten('transfers')
WHERE id IS NOT NULL;

COMMENT ON TABLE transfer_tiles IS 'communication and copies in the analysed time, of several at once the one that began last, and communication before copies';
COMMENT ON COLUMN transfer_tiles.id IS 'activity_id of activities';
