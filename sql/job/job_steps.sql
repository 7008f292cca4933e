-- Start and end of each step of the job on each rank, on the rank's own clock and on that of the first rank. Where all ranks did
-- something else between two steps, as a validation, that is left out; where only some did, the others wait for them.
-- reads: barriers, ranks.breaks
CREATE TABLE job_steps AS
WITH steps AS (
    SELECT
        rank,
        step,
        lag(step) OVER by_step AS after_step,
        lag(ref_end_ns) OVER by_step AS ref_start_ns,
        ref_end_ns,
        lag(end_ns) OVER by_step AS start_ns,
        end_ns
    FROM barriers
    WINDOW by_step AS (PARTITION BY rank ORDER BY step)
    QUALIFY start_ns IS NOT NULL
),

marked AS (
    SELECT
        s.*,
        bool_and(EXISTS (FROM ranks.breaks AS b WHERE b.rank = s.rank AND b.start_ns < s.end_ns AND b.end_ns > s.start_ns))
            OVER (PARTITION BY s.step) AS has_break
    FROM steps AS s
),

-- where each step has a break, all are kept
kept AS (
    SELECT * FROM marked QUALIFY has_break = bool_and(has_break) OVER ()
),

followed AS (
    SELECT *, (ref_start_ns IS DISTINCT FROM lag(ref_end_ns) OVER by_rank) AS begins
    FROM kept
    WINDOW by_rank AS (PARTITION BY rank ORDER BY step)
)

SELECT
    rank,
    step,
    after_step,
    sum(CAST(begins AS INTEGER)) OVER (PARTITION BY rank ORDER BY step) AS part,
    ref_start_ns,
    ref_end_ns,
    start_ns,
    end_ns
FROM followed;

COMMENT ON TABLE job_steps IS 'the steps of the job on each rank: the window of the job is all of them';
COMMENT ON COLUMN job_steps.after_step IS 'the step before that has a collective: steps without one are counted to the next that has one';
COMMENT ON COLUMN job_steps.part IS 'number of the part that it belongs to: steps that follow each other';
COMMENT ON COLUMN job_steps.start_ns IS 'start, ns on the rank''s own clock';
COMMENT ON COLUMN job_steps.end_ns IS 'end, ns on the rank''s own clock';
