-- Start and end of each step of the job on each rank, on the rank's own clock and on that of the first rank. Where all ranks did
-- something else between two steps, as a validation, that is left out; where only some did, the others wait for them.
-- reads: barriers, ranks.breaks
CREATE TABLE bounds AS
WITH steps AS (
    SELECT
        rank,
        step,
        lag(step) OVER by_step AS after_step,
        lag(ref_end_ns) OVER by_step AS ref_from_ns,
        ref_end_ns AS ref_to_ns,
        lag(end_ns) OVER by_step AS from_ns,
        end_ns AS to_ns
    FROM barriers
    WINDOW by_step AS (PARTITION BY rank ORDER BY step)
    QUALIFY from_ns IS NOT NULL
),

marked AS (
    SELECT
        s.*,
        bool_and(EXISTS (FROM ranks.breaks AS b WHERE b.rank = s.rank AND b.start_ns < s.to_ns AND b.end_ns > s.from_ns))
            OVER (PARTITION BY s.step) AS has_break
    FROM steps AS s
),

-- where each step has a break, all are kept
kept AS (
    SELECT * FROM marked QUALIFY has_break = bool_and(has_break) OVER ()
),

followed AS (
    SELECT *, (ref_from_ns IS DISTINCT FROM lag(ref_to_ns) OVER by_rank) AS begins
    FROM kept
    WINDOW by_rank AS (PARTITION BY rank ORDER BY step)
)

SELECT
    rank,
    step,
    after_step,
    sum(CAST(begins AS INTEGER)) OVER (PARTITION BY rank ORDER BY step) AS part,
    ref_from_ns,
    ref_to_ns,
    from_ns,
    to_ns
FROM followed;

COMMENT ON TABLE bounds IS 'the steps of the job on each rank: the window of the job is all of them';
COMMENT ON COLUMN bounds.after_step IS 'the step before that has a collective: steps without one are counted to the next that has one';
COMMENT ON COLUMN bounds.part IS 'number of the part that it belongs to: steps that follow each other';
COMMENT ON COLUMN bounds.ref_from_ns IS 'start, ns on the clock of the first rank';
COMMENT ON COLUMN bounds.ref_to_ns IS 'end, ns on the clock of the first rank';
COMMENT ON COLUMN bounds.from_ns IS 'start, ns on the rank''s own clock';
COMMENT ON COLUMN bounds.to_ns IS 'end, ns on the rank''s own clock';
