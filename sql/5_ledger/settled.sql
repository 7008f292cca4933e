-- Claims settled: of those on a slice the one with the lowest precedence wins. What nobody claims is unexplained.
CREATE TABLE settled AS
WITH won AS (
    -- the rule is one number so that the least is found in half the time that arg_min takes
    SELECT slice_id, min(rule) AS rule FROM claims GROUP BY slice_id
),

rules AS (
    SELECT
        rule,
        CAST(enum_range(CAST(NULL AS cause_id))[rule // 10 % 1000 + 1] AS cause_id) AS cause,
        CAST(enum_range(CAST(NULL AS claim_basis))[rule % 10 + 1] AS claim_basis) AS basis
    FROM (SELECT DISTINCT rule FROM won)
)

SELECT
    s.slice_id,
    s.gap_id,
    s.op_id,
    s.gpu,
    s.pid,
    s.start_ns,
    s.end_ns,
    s.on_global_tid,
    s.range_id,
    s.name_id,
    s.state,
    coalesce(c.cause, CAST('unexplained' AS cause_id)) AS cause,
    c.basis
FROM slices AS s
LEFT JOIN won AS w ON w.slice_id = s.slice_id
LEFT JOIN rules AS c ON c.rule = w.rule;

COMMENT ON TABLE settled IS 'slices, each with its one cause';
COMMENT ON COLUMN settled.slice_id IS 'as in slices';
COMMENT ON COLUMN settled.gap_id IS 'the gap that it is part of; NULL for exposed communication and copies';
COMMENT ON COLUMN settled.op_id IS 'the exposed op, in ops; NULL in a gap';
COMMENT ON COLUMN settled.gpu IS 'physical GPU';
COMMENT ON COLUMN settled.pid IS 'process of the submitter';
COMMENT ON COLUMN settled.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN settled.end_ns IS 'end, ns';
COMMENT ON COLUMN settled.on_global_tid IS 'the thread whose state it is';
COMMENT ON COLUMN settled.range_id IS 'innermost NVTX range, in nvtx_events';
COMMENT ON COLUMN settled.name_id IS 'the call that makes the state, in strings';
COMMENT ON COLUMN settled.state IS 'as in slices';
COMMENT ON COLUMN settled.cause IS 'id of the cause';
COMMENT ON COLUMN settled.basis IS 'seen, named or inferred; NULL where nobody claims the slice';
