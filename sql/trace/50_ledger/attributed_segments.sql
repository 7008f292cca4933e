-- Attribution: each segment with its one cause. Of all rules on it, or on its state, the one with the lowest priority wins. What
-- no rule explains is unexplained.
-- reads: segment_rules, segments, state_rules
CREATE TABLE attributed_segments AS
WITH by_state AS (
    SELECT state, priority, cause, basis
    FROM state_rules
    QUALIFY row_number() OVER (PARTITION BY state ORDER BY priority, cause) = 1
),

ruled AS (
    SELECT
        s.*, r.priority < t.priority OR t.priority IS NULL AS by_itself, r.cause AS own_cause, r.basis AS own_basis,
        t.cause AS state_cause, t.basis AS state_basis
    FROM segments AS s
    LEFT JOIN segment_rules AS r ON r.segment_id = s.segment_id
    LEFT JOIN by_state AS t ON t.state = s.state
)

SELECT
    * EXCLUDE (by_itself, own_cause, own_basis, state_cause, state_basis),
    coalesce(CASE WHEN by_itself THEN own_cause ELSE state_cause END, 'unexplained') AS cause,
    CASE WHEN by_itself THEN own_basis ELSE state_basis END AS basis
FROM ruled;

COMMENT ON TABLE attributed_segments IS 'all segments, each with its one cause';
COMMENT ON COLUMN attributed_segments.gap_id IS 'as in segments';
COMMENT ON COLUMN attributed_segments.activity_id IS 'as in segments';
COMMENT ON COLUMN attributed_segments.state IS 'as in segments';
COMMENT ON COLUMN attributed_segments.range_id IS 'as in segments';
COMMENT ON COLUMN attributed_segments.basis IS 'how it is known: seen (the call, the activity or a sample says so), named (by its NVTX range) or inferred; NULL where it is unexplained';
