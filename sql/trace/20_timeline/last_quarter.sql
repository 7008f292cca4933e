-- One row: the last quarter of the launch sequence, which alone is judged, because compilation and autotuning launch regular
-- sequences too.
-- reads: launch_sequence
CREATE TABLE last_quarter AS
SELECT 3 * count(*) // 4 AS place, count(*) // 4 AS activities, count(*) + 1 AS end_place
FROM launch_sequence;

COMMENT ON TABLE last_quarter IS 'the last quarter of the launch sequence: one row';
COMMENT ON COLUMN last_quarter.place IS 'where it begins, as place in launch_sequence';
COMMENT ON COLUMN last_quarter.activities IS 'number of its activities';
COMMENT ON COLUMN last_quarter.end_place IS 'where it ends: one more than the last place';
