-- One row for each row of cause_ranges, with what refutes the name, if anything does.
-- reads: cause_ranges, unproven_names, work_names
CREATE TABLE judged_ranges AS
SELECT
    r.range_id,
    r.cause,
    r.name,
    CASE WHEN w.called IS NOT NULL THEN 'work' WHEN u.called IS NOT NULL THEN 'nothing' END AS refuted_by
FROM cause_ranges AS r
LEFT JOIN work_names AS w ON w.cause = r.cause AND w.called = r.called
LEFT JOIN unproven_names AS u ON u.cause = r.cause AND u.called = r.called;

COMMENT ON TABLE judged_ranges IS 'NVTX ranges under names that speak for a cause, and what refutes the name';
COMMENT ON COLUMN judged_ranges.refuted_by IS 'work (half of the compute is launched under the name, or whole steps lie in it) or nothing (that of which it speaks is not done there); NULL where the name counts';
