-- Attribution: each segment with its one cause. Of all rules on a segment, or on its state, the one with the lowest priority wins.
-- What no rule explains is unexplained.
-- reads: rules, segments, state_rules
CREATE TABLE lost_segments AS
WITH by_segment AS (
    SELECT segment_id, min(struct_pack(priority, cause, basis)) AS rule FROM rules GROUP BY segment_id
),

by_state AS (
    SELECT state, min(struct_pack(priority, cause, basis)) AS rule FROM state_rules GROUP BY state
),

ruled AS (
    SELECT s.*, least(b.rule, t.rule) AS rule
    FROM segments AS s
    LEFT JOIN by_segment AS b ON b.segment_id = s.segment_id
    LEFT JOIN by_state AS t ON t.state = s.state
)

SELECT * EXCLUDE (rule), coalesce(rule.cause, 'unexplained') AS cause, rule.basis AS basis
FROM ruled;

COMMENT ON TABLE lost_segments IS 'segments, each with its one cause';
COMMENT ON COLUMN lost_segments.segment_id IS 'as in segments';
COMMENT ON COLUMN lost_segments.gap_id IS 'as in segments';
COMMENT ON COLUMN lost_segments.activity_id IS 'as in segments';
COMMENT ON COLUMN lost_segments.gpu IS 'as in segments';
COMMENT ON COLUMN lost_segments.pid IS 'as in segments';
COMMENT ON COLUMN lost_segments.start_ns IS 'as in segments';
COMMENT ON COLUMN lost_segments.end_ns IS 'as in segments';
COMMENT ON COLUMN lost_segments.state IS 'as in segments';
COMMENT ON COLUMN lost_segments.name_id IS 'as in segments';
COMMENT ON COLUMN lost_segments.on_global_tid IS 'as in segments';
COMMENT ON COLUMN lost_segments.range_id IS 'as in segments';
COMMENT ON COLUMN lost_segments.lacks_run_ahead IS 'as in segments';
COMMENT ON COLUMN lost_segments.step IS 'as in segments';
COMMENT ON COLUMN lost_segments.blocked_for IS 'as in segments';
COMMENT ON COLUMN lost_segments.cause IS 'id of the cause';
COMMENT ON COLUMN lost_segments.basis IS 'how it is known: seen (the call or activity itself), named (by its NVTX range) or inferred; NULL where it is unexplained';
