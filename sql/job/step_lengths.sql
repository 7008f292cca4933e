-- The length of each step of the job, which is the same on all ranks.
-- reads: bounds
CREATE VIEW step_lengths AS
SELECT DISTINCT step, ref_from_ns, ref_to_ns, ref_to_ns - ref_from_ns AS ns FROM bounds ORDER BY step;

COMMENT ON VIEW step_lengths IS 'how long each step of the job took';
COMMENT ON COLUMN step_lengths.ref_from_ns IS 'when the last collective of the step before ended, ns on the clock of the first rank';
COMMENT ON COLUMN step_lengths.ref_to_ns IS 'when its own last collective ended, ns';
COMMENT ON COLUMN step_lengths.ns IS 'time between them, ns';
