-- One row for each NVTX range whose name, or the name of a range around it, speaks for a cause and is not refuted.
-- reads: judged_ranges
CREATE TABLE named_ranges AS
SELECT DISTINCT range_id, cause
FROM judged_ranges
WHERE refuted_by IS NULL;

COMMENT ON TABLE named_ranges IS 'NVTX ranges whose names speak for a cause';
