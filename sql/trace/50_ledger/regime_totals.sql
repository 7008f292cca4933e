-- One row for each kind of regime that was recorded: how often it comes, how long it takes, and after how many steps it comes
-- again. One that comes now after 1 step and now after 129 comes after no usual number: the mean is far from the median.
-- reads: regimes
CREATE TABLE regime_totals AS
WITH counted AS (
    SELECT *, sum(steps) OVER (ORDER BY regime) AS steps_so_far FROM regimes
),

spaced AS (
    SELECT *, steps_so_far - lag(steps_so_far) OVER (PARTITION BY kind ORDER BY regime) AS steps_between FROM counted
)

SELECT
    kind,
    count(*) AS times,
    CAST(sum(steps) AS BIGINT) AS steps,
    CAST(sum(end_ns - start_ns) AS BIGINT) AS length_ns,
    CASE
        WHEN kind <> 'steps' AND avg(steps_between) BETWEEN 0.67 * median(steps_between) AND 1.5 * median(steps_between)
            THEN median(steps_between)
    END AS every_steps
FROM spaced
GROUP BY kind
ORDER BY length_ns DESC, kind;

COMMENT ON TABLE regime_totals IS 'the kinds of regimes that were recorded, the longest first';
COMMENT ON COLUMN regime_totals.times IS 'how many there are';
COMMENT ON COLUMN regime_totals.steps IS 'number of steps of the loop in them';
COMMENT ON COLUMN regime_totals.length_ns IS 'time of all of them, ns';
COMMENT ON COLUMN regime_totals.every_steps IS 'median number of steps from one to the next; NULL for steps, and for what comes once or irregularly';
