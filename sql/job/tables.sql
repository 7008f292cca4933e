-- What is taken out of each trace of a job (see 9_ranks), and how the ranks' collectives and clocks fit together.
-- Times are in ns since the session of the rank began; those called ref_ are on the clock of the first rank.
CREATE TABLE segments (rank INTEGER, start_ns BIGINT, until_ns BIGINT);
CREATE TABLE losses (
    rank INTEGER, until_ns BIGINT, cause VARCHAR, op_id INTEGER, start_ns BIGINT, end_ns BIGINT, lost_ns BIGINT
);
CREATE TABLE steps (step BIGINT, ref_start_ns BIGINT, ref_end_ns BIGINT);
CREATE TABLE members (
    match_id INTEGER, team INTEGER, rank INTEGER, op_id INTEGER, kind VARCHAR, point_to_point BOOLEAN, in_window BOOLEAN,
    start_ns BIGINT, end_ns BIGINT, ref_start_ns BIGINT, ref_end_ns BIGINT
);
CREATE TABLE precision (noise_ns BIGINT);

COMMENT ON TABLE segments IS 'the window of each rank, from one end of communication to the next';
COMMENT ON COLUMN segments.rank IS 'number of the rank';
COMMENT ON COLUMN segments.start_ns IS 'start, ns';
COMMENT ON COLUMN segments.until_ns IS 'end, and the key of the segment within its rank, ns';
COMMENT ON TABLE losses IS 'lost time of each segment: every piece of exposed communication, and of all else the sum by cause';
COMMENT ON COLUMN losses.rank IS 'number of the rank';
COMMENT ON COLUMN losses.until_ns IS 'the segment';
COMMENT ON COLUMN losses.cause IS 'id of the cause';
COMMENT ON COLUMN losses.op_id IS 'the exposed communication op, in the trace of the rank; NULL for a sum';
COMMENT ON COLUMN losses.start_ns IS 'start, ns; NULL for a sum';
COMMENT ON COLUMN losses.end_ns IS 'end, ns; NULL for a sum';
COMMENT ON COLUMN losses.lost_ns IS 'time lost, ns';
COMMENT ON TABLE steps IS 'steps of the first rank in its window';
COMMENT ON COLUMN steps.step IS 'number';
COMMENT ON COLUMN steps.ref_start_ns IS 'start, ns on the clock of the first rank';
COMMENT ON COLUMN steps.ref_end_ns IS 'end, ns on the clock of the first rank';
COMMENT ON TABLE members IS 'communication ops that were found on more than one rank: one row for each rank';
COMMENT ON COLUMN members.match_id IS 'the collective, the same on all its ranks';
COMMENT ON COLUMN members.team IS 'ranks that communicate with each other: a communicator where it is known, else all of one kind';
COMMENT ON COLUMN members.rank IS 'number of the rank';
COMMENT ON COLUMN members.op_id IS 'the op, in the trace of the rank';
COMMENT ON COLUMN members.kind IS 'AllReduce, SendRecv, …';
COMMENT ON COLUMN members.point_to_point IS 'true for sends and receives, which bind two ranks';
COMMENT ON COLUMN members.in_window IS 'true where it ends in the window of the rank';
COMMENT ON COLUMN members.start_ns IS 'start: when the rank came, ns';
COMMENT ON COLUMN members.end_ns IS 'end, ns';
COMMENT ON COLUMN members.ref_start_ns IS 'start, ns on the clock of the first rank';
COMMENT ON COLUMN members.ref_end_ns IS 'end, ns on the clock of the first rank';
COMMENT ON TABLE precision IS 'how well the clocks fit: one row';
COMMENT ON COLUMN precision.noise_ns IS 'waiting for less than this says nothing of who was late, ns';
