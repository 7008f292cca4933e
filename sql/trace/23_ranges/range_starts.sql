-- Right before each range of main_ranges began: the innermost range at that time is the one around it.
-- reads: main_ranges
CREATE VIEW range_starts AS
SELECT id, track, start_ns - 1 AS at_ns
FROM main_ranges;

COMMENT ON VIEW range_starts IS 'the times right before NVTX ranges begin';
COMMENT ON COLUMN range_starts.id IS 'id of main_ranges';
COMMENT ON COLUMN range_starts.track IS 'process';
COMMENT ON COLUMN range_starts.at_ns IS '1 ns before the range, ns since the session began';
