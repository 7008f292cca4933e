-- What the views of sql/views/ranks give for the trace of each rank, and how the collectives and the clocks of the ranks fit
-- together. Times are in ns since the session of the rank began; times called ref_ are on the clock of the first rank.
CREATE SCHEMA ranks;

CREATE TABLE ranks.stretches (rank INTEGER, start_ns BIGINT, until_ns BIGINT);
CREATE TABLE ranks.breaks (rank INTEGER, start_ns BIGINT, end_ns BIGINT);
CREATE TABLE ranks.losses (
    rank INTEGER, until_ns BIGINT, cause VARCHAR, activity_id INTEGER, start_ns BIGINT, end_ns BIGINT, lost_ns BIGINT
);
CREATE TABLE ranks.steps (step BIGINT, ref_start_ns BIGINT, ref_end_ns BIGINT);
CREATE TABLE ranks.members (
    match_id INTEGER, team INTEGER, rank INTEGER, activity_id INTEGER, kind VARCHAR, in_window BOOLEAN,
    start_ns BIGINT, end_ns BIGINT, ref_start_ns BIGINT, ref_end_ns BIGINT
);
CREATE TABLE ranks.precision (noise_ns BIGINT);

COMMENT ON TABLE ranks.stretches IS 'the window of each rank, from one end of communication to the next';
COMMENT ON COLUMN ranks.stretches.start_ns IS 'start, ns';
COMMENT ON COLUMN ranks.stretches.until_ns IS 'end, and the key of the stretch within its rank, ns';
COMMENT ON TABLE ranks.breaks IS 'times between the regimes of the window of each rank';
COMMENT ON COLUMN ranks.breaks.start_ns IS 'start, ns';
COMMENT ON TABLE ranks.losses IS 'lost time of each stretch: every piece of exposed communication, and of all else the sum by cause';
COMMENT ON COLUMN ranks.losses.until_ns IS 'the stretch';
COMMENT ON COLUMN ranks.losses.activity_id IS 'the exposed communication activity, in the trace of the rank; NULL for a sum';
COMMENT ON COLUMN ranks.losses.start_ns IS 'start, ns; NULL for a sum';
COMMENT ON COLUMN ranks.losses.end_ns IS 'end, ns; NULL for a sum';
COMMENT ON COLUMN ranks.losses.lost_ns IS 'time lost, ns';
COMMENT ON TABLE ranks.steps IS 'steps of the first rank in its window';
COMMENT ON COLUMN ranks.steps.step IS 'number in the trace of that rank';
COMMENT ON TABLE ranks.members IS 'communication activities that were found on more than one rank: one row for each rank';
COMMENT ON COLUMN ranks.members.match_id IS 'the collective, the same on all its ranks';
COMMENT ON COLUMN ranks.members.team IS 'ranks that communicate with each other: a communicator where it is known, else all of one kind';
COMMENT ON COLUMN ranks.members.activity_id IS 'the activity, in the trace of the rank';
COMMENT ON COLUMN ranks.members.kind IS 'AllReduce, SendRecv, …';
COMMENT ON COLUMN ranks.members.in_window IS 'true where it ends in the window of the rank';
COMMENT ON COLUMN ranks.members.start_ns IS 'start: when the rank came, ns';
COMMENT ON TABLE ranks.precision IS 'how well the clocks fit: one row';
COMMENT ON COLUMN ranks.precision.noise_ns IS 'waiting for less than this says nothing of who was late, ns';
