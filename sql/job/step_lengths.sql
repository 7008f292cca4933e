-- The length of each step of the job, which is the same on all ranks.
-- reads: bounds
CREATE VIEW step_lengths AS
SELECT DISTINCT step, ref_to_ns - ref_from_ns AS ns FROM bounds ORDER BY step;

COMMENT ON VIEW step_lengths IS 'how long each step of the job took';
COMMENT ON COLUMN step_lengths.step IS 'as in steps';
COMMENT ON COLUMN step_lengths.ns IS 'time from the last collective of the step before to its own, ns';
