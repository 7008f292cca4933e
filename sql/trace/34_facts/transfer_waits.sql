-- One row for each segment in which a thread waits for a transfer of Gloo, which is on its way for half of it, or sends itself.
-- reads: covered, cpu_transfers, segments_until_transfers
CREATE TABLE transfer_waits AS
SELECT id AS segment_id
FROM covered('segments_until_transfers', 'cpu_transfers')
WHERE covered_ns >= 0.5 * length_ns
UNION
SELECT id
FROM segments_until_transfers
WHERE sends;

COMMENT ON TABLE transfer_waits IS 'waits for transfers of Gloo, and what is sent for them';
