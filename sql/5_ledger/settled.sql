-- Claims settled: of those on a slice, or on its state, the one with the lowest precedence wins. What nobody claims is
-- unexplained.
-- A table of its own, since with a million slices the memory that counting takes is needed for what comes next.
CREATE TABLE won AS
-- the rule is one number so that the least is found in half the time that arg_min takes
SELECT slice_id, min(rule) AS rule
FROM claims
GROUP BY slice_id;

CREATE MACRO cause_of(rule) AS CAST(enum_range(CAST(NULL AS cause_id))[rule // 10 % 1000 + 1] AS cause_id);
CREATE MACRO basis_of(rule) AS CAST(enum_range(CAST(NULL AS claim_basis))[rule % 10 + 1] AS claim_basis);

CREATE TABLE settled_slices AS
WITH rules AS (
    SELECT rule, cause_of(rule) AS cause, basis_of(rule) AS basis
    FROM (SELECT rule FROM won UNION SELECT rule FROM states)
),

usual AS (
    SELECT state, min(rule) AS rule FROM states GROUP BY state
)

SELECT
    s.*,
    coalesce(r.cause, CAST('unexplained' AS cause_id)) AS cause,
    r.basis
FROM slices AS s
LEFT JOIN won AS w ON w.slice_id = s.slice_id
LEFT JOIN usual AS u ON u.state = s.state
LEFT JOIN rules AS r ON r.rule = least(w.rule, u.rule);

-- one table in the place of two: a million slices take 60 MB
DROP TABLE won;
DROP VIEW slices;
DROP TABLE lost_pieces;
ALTER TABLE settled_slices RENAME TO slices;

CREATE VIEW settled AS
SELECT slice_id, gap_id, op_id, gpu, pid, start_ns, end_ns, on_global_tid, range_id, step, name_id, state, cause, basis
FROM slices;

COMMENT ON TABLE slices IS 'all lost time of the window, in pieces in which the submitter''s state does not change';
COMMENT ON COLUMN slices.slice_id IS 'number, in no order';
COMMENT ON COLUMN slices.gap_id IS 'the gap that it is part of; NULL for exposed communication and copies';
COMMENT ON COLUMN slices.op_id IS 'the exposed op, in ops; NULL in a gap';
COMMENT ON COLUMN slices.gpu IS 'physical GPU';
COMMENT ON COLUMN slices.pid IS 'process of the submitter';
COMMENT ON COLUMN slices.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN slices.end_ns IS 'end, ns';
COMMENT ON COLUMN slices.state IS 'submit (launches and the code between them), run (code, for longer than 1 ms), the states of thread_states, queued (launched in time), unknown (no call in the trace), communication or copy (exposed)';
COMMENT ON COLUMN slices.name_id IS 'the call that makes the state, in strings';
COMMENT ON COLUMN slices.on_global_tid IS 'the thread whose state it is: the submitter, or the peer it waited for';
COMMENT ON COLUMN slices.blocked_for IS 'what the blocking call waited for that took the CPU''s run-ahead before the gap; NULL where none did';
COMMENT ON COLUMN slices.was_ahead IS 'true while that run-ahead would have hidden the CPU''s work';
COMMENT ON COLUMN slices.range_id IS 'innermost NVTX range of the process''s main thread, in nvtx_events; NULL outside of all';
COMMENT ON COLUMN slices.step IS 'the step in which it begins, in window_steps; NULL outside of all';
COMMENT ON COLUMN slices.cause IS 'the cause that won, as in settled';
COMMENT ON COLUMN slices.basis IS 'how that is known, as in settled';
COMMENT ON VIEW settled IS 'slices, each with its one cause';
COMMENT ON COLUMN settled.slice_id IS 'as in slices';
COMMENT ON COLUMN settled.gap_id IS 'the gap that it is part of; NULL for exposed communication and copies';
COMMENT ON COLUMN settled.op_id IS 'the exposed op, in ops; NULL in a gap';
COMMENT ON COLUMN settled.gpu IS 'physical GPU';
COMMENT ON COLUMN settled.pid IS 'process of the submitter';
COMMENT ON COLUMN settled.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN settled.end_ns IS 'end, ns';
COMMENT ON COLUMN settled.on_global_tid IS 'the thread whose state it is';
COMMENT ON COLUMN settled.range_id IS 'innermost NVTX range, in nvtx_events';
COMMENT ON COLUMN settled.step IS 'the step in which it begins, in window_steps';
COMMENT ON COLUMN settled.name_id IS 'the call that makes the state, in strings';
COMMENT ON COLUMN settled.state IS 'as in slices';
COMMENT ON COLUMN settled.cause IS 'id of the cause';
COMMENT ON COLUMN settled.basis IS 'seen, named or inferred; NULL where nobody claims the slice';
