-- The rule that explains a segment by itself, apart from those on its state: of several the one with the lowest priority.
-- reads: rules
CREATE TABLE segment_rules AS
SELECT segment_id, priority, cause, basis
FROM rules
QUALIFY row_number() OVER (PARTITION BY segment_id ORDER BY priority, cause, basis) = 1;

COMMENT ON TABLE segment_rules IS 'segments that a rule explains, apart from those on states';
COMMENT ON COLUMN segment_rules.basis IS 'seen (the call, the activity or a sample says so), named (by its NVTX range) or inferred (from what is around it)';
