-- Start and end of each step of the job on each rank, on the rank's own clock and on that of the first rank.
-- reads: barriers
CREATE TABLE bounds AS
SELECT
    rank,
    step,
    lag(ref_end_ns) OVER by_step AS ref_from_ns,
    ref_end_ns AS ref_to_ns,
    lag(end_ns) OVER by_step AS from_ns,
    end_ns AS to_ns
FROM barriers
WINDOW by_step AS (PARTITION BY rank ORDER BY step)
QUALIFY lag(end_ns) OVER by_step IS NOT NULL;

COMMENT ON TABLE bounds IS 'the steps of the job on each rank: the window of the job is all of them';
COMMENT ON COLUMN bounds.rank IS 'number of the rank';
COMMENT ON COLUMN bounds.step IS 'as in steps';
COMMENT ON COLUMN bounds.ref_from_ns IS 'start, ns on the clock of the first rank';
COMMENT ON COLUMN bounds.ref_to_ns IS 'end, ns on the clock of the first rank';
COMMENT ON COLUMN bounds.from_ns IS 'start, ns on the rank''s own clock';
COMMENT ON COLUMN bounds.to_ns IS 'end, ns on the rank''s own clock';
