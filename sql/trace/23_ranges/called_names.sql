-- What each name of NVTX ranges is called without what changes from one run of a range to the next. Names that differ in a number
-- at their end alone (`batch 17`, `batch 17/100`), each of which a process uses about once, are one name. Where it counts steps,
-- it may begin again with each epoch; of the parts of a step, as of layers and micro-batches, there are fewer than steps.
-- reads: main_ranges, plain_name
CREATE TABLE called_names AS
WITH spelled AS (
    SELECT track AS pid, name, plain_name(name) AS plain, count(*) AS times FROM main_ranges GROUP BY track, name
),

stems AS (
    SELECT
        *,
        regexp_replace(plain, '[ _#:=-]*\d+(/\d+)?$', '') AS stem,
        regexp_matches(plain, '(^|[ _])(steps?|batch(es)?|iter(ation)?s?)([^a-z]|$)', 'i') AS is_of_steps
    FROM spelled
),

counted AS (
    SELECT stem
    FROM stems
    WHERE stem NOT IN ('', plain)
    GROUP BY pid, stem
    HAVING
        count(DISTINCT plain) >= 3
        AND sum(times) < (CASE WHEN bool_and(is_of_steps) THEN count(DISTINCT plain) ELSE 2 END) * count(DISTINCT plain)
)

SELECT DISTINCT name, CASE WHEN stem <> plain AND stem IN (FROM counted) THEN stem ELSE plain END AS called
FROM stems;

COMMENT ON TABLE called_names IS 'what the names of NVTX ranges are called, without counters and ids';
COMMENT ON COLUMN called_names.called IS 'the name without what changes from one run to the next';
