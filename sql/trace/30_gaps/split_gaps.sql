-- The long gaps of processes that drive several GPUs, as intervals of the process.
-- reads: gaps, own_work_ns, split_computing
CREATE VIEW split_gaps AS
SELECT gap_id AS id, pid AS track, start_ns, end_ns
FROM gaps
WHERE end_ns - start_ns >= own_work_ns() AND pid IN (SELECT track FROM split_computing);

COMMENT ON VIEW split_gaps IS 'long gaps of processes that drive several GPUs';
COMMENT ON COLUMN split_gaps.id IS 'gap_id of gaps';
COMMENT ON COLUMN split_gaps.track IS 'process id';
COMMENT ON COLUMN split_gaps.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN split_gaps.end_ns IS 'end, ns';
