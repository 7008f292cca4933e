-- One row: for what share of the waits for batches some thread of the process holds the GIL.
-- reads: batch_wait_times, covered, gil_hold_tiles
CREATE TABLE gil_share AS
SELECT CASE WHEN EXISTS (FROM gil_hold_tiles) THEN sum(covered_ns) / sum(length_ns) END AS gil_share
FROM covered('batch_wait_times', 'gil_hold_tiles');

COMMENT ON TABLE gil_share IS 'for what share of the waits for batches some thread holds the GIL: one row';
COMMENT ON COLUMN gil_share.gil_share IS 'share, 0 to 1; NULL where it was not recorded';
