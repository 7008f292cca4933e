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

UPDATE lost_pieces SET claimed = w.rule FROM won AS w WHERE w.slice_id = lost_pieces.rowid;
DROP TABLE won;

-- Slices added up once, by all that the ledger and the evidence ask of them; by state and claim, of which few pairs are, and not
-- by cause: to look that up for each of a million takes as long as to add them up.
CREATE TABLE state_totals AS
SELECT
    gpu, pid, state, claimed, range_id, step,
    count(*) AS slices,
    CAST(sum(end_ns - start_ns) AS BIGINT) AS lost_ns,
    max(end_ns - start_ns) AS longest_ns
FROM lost_pieces
GROUP BY gpu, pid, state, claimed, range_id, step;

-- What the few pairs of a state and a claim come to is looked up where it is asked for: a second table, with the causes, takes
-- 60 MB of a million slices, and as long as all the sums of them.
CREATE TABLE outcomes AS
WITH found AS (
    SELECT DISTINCT state, claimed FROM state_totals
),

usual AS (
    SELECT state, min(rule) AS rule FROM states GROUP BY state
),

ruled AS (
    SELECT f.state, f.claimed, least(u.rule, f.claimed) AS rule
    FROM found AS f
    LEFT JOIN usual AS u ON u.state = f.state
)

SELECT state, claimed, coalesce(cause_of(rule), CAST('unexplained' AS cause_id)) AS cause, basis_of(rule) AS basis
FROM ruled;

-- Renamed, since what layers before this one mean by the name is what they find: slices without causes.
CREATE VIEW settled_slices AS
SELECT CAST(p.rowid AS INTEGER) AS slice_id, p.* EXCLUDE (claimed), o.cause, o.basis
FROM lost_pieces AS p
INNER JOIN outcomes AS o ON o.state = p.state AND o.claimed IS NOT DISTINCT FROM p.claimed;

DROP VIEW slices;
ALTER VIEW settled_slices RENAME TO slices;

CREATE VIEW settled AS
SELECT slice_id, gap_id, op_id, gpu, pid, start_ns, end_ns, on_global_tid, range_id, step, name_id, state, cause, basis
FROM slices;

COMMENT ON TABLE state_totals IS 'slices added up, before their causes are looked up';
COMMENT ON COLUMN state_totals.gpu IS 'as in slices';
COMMENT ON COLUMN state_totals.pid IS 'as in slices';
COMMENT ON COLUMN state_totals.state IS 'as in slices';
COMMENT ON COLUMN state_totals.claimed IS 'as in lost_pieces';
COMMENT ON COLUMN state_totals.range_id IS 'as in slices';
COMMENT ON COLUMN state_totals.step IS 'as in slices';
COMMENT ON COLUMN state_totals.slices IS 'how many';
COMMENT ON COLUMN state_totals.lost_ns IS 'their time, ns';
COMMENT ON COLUMN state_totals.longest_ns IS 'the longest of them, ns';
COMMENT ON TABLE outcomes IS 'what the states of slices and the claims on them come to';
COMMENT ON COLUMN outcomes.state IS 'as in slices';
COMMENT ON COLUMN outcomes.claimed IS 'as in lost_pieces';
COMMENT ON COLUMN outcomes.cause IS 'as in settled';
COMMENT ON COLUMN outcomes.basis IS 'as in settled';
COMMENT ON VIEW slices IS 'all lost time of the window, in pieces in which the submitter''s state does not change';
COMMENT ON COLUMN slices.slice_id IS 'number, in no order';
COMMENT ON COLUMN slices.gap_id IS 'the gap that it is part of; NULL for exposed communication and copies';
COMMENT ON COLUMN slices.op_id IS 'the exposed op, in ops; NULL in a gap';
COMMENT ON COLUMN slices.gpu IS 'physical GPU';
COMMENT ON COLUMN slices.pid IS 'process of the submitter';
COMMENT ON COLUMN slices.start_ns IS 'start, ns since the session began';
COMMENT ON COLUMN slices.end_ns IS 'end, ns';
COMMENT ON COLUMN slices.state IS 'submit (launches and the code between them), run (code, for longer than 1 ms), the states of thread_states, queued (launched in time), stalled (so, and yet 50 us late or more), unknown (no call in the trace), communication or copy (exposed)';
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
